import { whenIdle } from '#pwa/device/busy.ts';

/**
 * Reloads with the server's newest version. A plain reload would not bring it: the worker answers with the version that
 * it was installed with, until a newer worker has taken over.
 */
export async function loadNewestVersion(): Promise<void> {
  const reload = () => whenIdle(() => location.reload());
  const newer = await findNewerWorker();
  if (!newer) return reload();
  navigator.serviceWorker.addEventListener('controllerchange', reload, { once: true });
  newer.postMessage({ type: 'SKIP_WAITING' });
}

/** The installed worker that waits. Null when there is none, the browser has no workers, or there is no network. */
async function findNewerWorker(): Promise<ServiceWorker | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return null;
  await registration.update().catch(() => undefined);
  const { installing } = registration;
  // Its next state is either the end of the installation or its failure.
  if (installing) await new Promise((resolve) => installing.addEventListener('statechange', resolve, { once: true }));
  return registration.waiting;
}
