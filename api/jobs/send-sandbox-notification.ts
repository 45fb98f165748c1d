import type { AppContext } from '#api/services/app-context.ts';

/** Plays the provider: notifies our own webhook about a payment, and repeats that until the webhook accepts it. */
export async function workOnSandboxNotifications(app: AppContext): Promise<void> {
  const { sandbox } = app;
  if (!sandbox) return;
  await app.queue.work('send-sandbox-notification', { concurrency: 1 }, (notification) =>
    sandbox.deliver(notification),
  );
}
