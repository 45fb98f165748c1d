import { callApi } from '#pwa/lib/api-client.ts';
import { subscribeBody, subscribeToPush } from '#shared/contract/notifications.ts';

/**
 * The browser has replaced the subscription or taken it away: the server gets the new one in the place of the old. Should
 * that fail, the next start of the page sends it again.
 */
export async function renewSubscription(
  worker: ServiceWorkerGlobalScope,
  { newSubscription, oldSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  const renewed =
    newSubscription ?? (oldSubscription && (await worker.registration.pushManager.subscribe(oldSubscription.options)));
  if (!renewed) return;
  const { endpoint, keys } = renewed.toJSON();
  const body = subscribeBody.parse({ endpoint, keys, replaces: oldSubscription?.endpoint });
  await callApi(subscribeToPush, { body });
}
