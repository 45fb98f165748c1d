import { isIos } from '#pwa/device/is-ios.ts';
import { isStandalone } from '#pwa/device/is-standalone.ts';
import { createStore } from '#pwa/device/store.ts';
import { withResolvers } from '#pwa/device/with-resolvers.ts';
import { getPushKey, subscribeBody, subscribeToPush } from '#shared/contract/push-devices.ts';
import { callApi } from './api-client.ts';

/**
 * - unknown: not checked yet.
 * - failed: the check failed, for example without a network.
 * - no_worker: the browser does not run our worker, as in some private windows.
 * - unsupported: the browser has no push.
 * - needs_install: iOS, which pushes only to an app on the home screen.
 * - denied: the person has refused, and only the browser's settings can change that.
 */
export type PushState = 'unknown' | 'failed' | 'no_worker' | 'unsupported' | 'needs_install' | 'denied' | 'off' | 'on';

/** The account that has subscribed. Another account must not get its messages. */
const OWNER_KEY = 'podium.pushOwner';
/** A sign-out waits at most this long for the browser. */
const DROP_WAIT_MS = 2000;
/** The worker of a first visit is registered some seconds after the page has loaded. */
const WORKER_WAIT_MS = 8000;
/** The browser retries an unreachable push service without end, for example behind a firewall. This limits the wait. */
const SUBSCRIBE_WAIT_SECONDS = 20;

export const pushState = createStore<PushState>('unknown');
let prepared: { manager: PushManager; publicKey: string } | null = null;
let workerReady: Promise<ServiceWorkerRegistration> | null = null;

/**
 * Checks this browser's subscription and sends it to the server again, which may have lost it or have a new session.
 * Never asks the person for anything. Throws ApiError.
 */
export async function syncPush(userId: number): Promise<void> {
  if (!isPushSupported()) return pushState.set(needsInstall() ? 'needs_install' : 'unsupported');
  if (Notification.permission === 'denied') return pushState.set('denied');
  try {
    await syncWithWorker(userId);
  } catch (error) {
    if (pushState.get() === 'unknown') pushState.set('failed');
    throw error;
  }
}

async function syncWithWorker(userId: number): Promise<void> {
  workerReady ??= waitForWorker();
  const [{ pushManager: manager }, { publicKey }] = await Promise.all([workerReady, callApi(getPushKey)]);
  prepared = { manager, publicKey };
  const subscription = await manager.getSubscription();
  if (!subscription) return pushState.set('off');
  const isOwn = localStorage.getItem(OWNER_KEY) === String(userId);
  if (isOwn && hasKey(subscription, publicKey)) return send(subscription, userId);
  await subscription.unsubscribe();
  // The server has new keys, and the person still wants notifications.
  if (isOwn && Notification.permission === 'granted') return subscribeInClick(userId);
  pushState.set('off');
}

/** Resolves with the active worker. `ready` never resolves without a registration, so a timer reports that case. */
async function waitForWorker(): Promise<ServiceWorkerRegistration> {
  const timer = setInterval(async () => {
    const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
    // A worker that is still being installed may take long on a slow network.
    if (registration || prepared) return;
    clearInterval(timer);
    pushState.set('no_worker');
  }, WORKER_WAIT_MS);
  const registration = await navigator.serviceWorker.ready;
  clearInterval(timer);
  return registration;
}

/**
 * Subscribes, and asks for the permission if needed. Call it inside a click and await nothing before: Safari allows the
 * question only while it handles a click. Rejects when the person or the browser refuses and when the push service does
 * not answer in time; a later answer is still used.
 */
export function subscribeInClick(userId: number): Promise<void> {
  if (!prepared) return Promise.reject(new Error('push is not prepared'));
  const { manager, publicKey } = prepared;
  const subscribed = manager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }).then(
    (subscription) => send(subscription, userId),
    (error: unknown) => {
      pushState.set(Notification.permission === 'denied' ? 'denied' : 'off');
      throw error;
    },
  );
  const silence = watchSilence();
  return Promise.race([subscribed, silence.promise]).finally(silence.stop);
}

/**
 * Rejects when the push service has not answered in time. Only seconds after the permission count, not the time the
 * person takes to decide.
 */
function watchSilence(): { promise: Promise<never>; stop: () => void } {
  const { promise, reject } = withResolvers<never>();
  let seconds = 0;
  const timer = setInterval(() => {
    if (Notification.permission === 'granted') seconds += 1;
    if (seconds >= SUBSCRIBE_WAIT_SECONDS) reject(new Error('the push service does not answer'));
  }, 1000);
  return { promise, stop: () => clearInterval(timer) };
}

/** Ends this browser's subscription. The server forgets its part when the session ends or by the list of devices. */
export async function dropPush(): Promise<void> {
  localStorage.removeItem(OWNER_KEY);
  if (!isPushSupported()) return;
  const drop = async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  };
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, DROP_WAIT_MS));
  try {
    await Promise.race([drop(), timeout]);
  } catch (error) {
    // The owner's mark is gone, so the next start removes the subscription, and the server no longer uses it.
    console.warn('the push subscription stays:', error);
  }
  if (pushState.get() === 'on') pushState.set('off');
}

/** Reads the keys directly, because some browsers have no `toJSON` here. */
async function send(subscription: PushSubscription, userId: number): Promise<void> {
  const keys = {
    p256dh: encode(subscription.getKey('p256dh')),
    auth: encode(subscription.getKey('auth')),
  };
  await callApi(subscribeToPush, { body: subscribeBody.parse({ endpoint: subscription.endpoint, keys }) });
  localStorage.setItem(OWNER_KEY, String(userId));
  pushState.set('on');
}

function isPushSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
}

/** Whether push works only after an installation: Safari on iOS supports it only in an app on the home screen. */
function needsInstall(): boolean {
  return isIos(navigator) && !isStandalone();
}

function hasKey(subscription: PushSubscription, publicKey: string): boolean {
  const { applicationServerKey } = subscription.options;
  return !applicationServerKey || encode(applicationServerKey) === publicKey;
}

/** base64url without padding. */
function encode(bytes: ArrayBuffer | null): string {
  const text = String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0)));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
