/** Asks the worker to send when the network is back. Without background sync the next page online sends. */
export async function askForSync(tag: string): Promise<void> {
  const sync = await findSync();
  await sync?.register(tag).catch(() => undefined);
}

/** Whether what waits is also sent when no page is open. */
export async function hasBackgroundSync(): Promise<boolean> {
  return (await findSync()) !== undefined;
}

/** Background sync is not in TypeScript's libraries, because not every browser has it. */
async function findSync(): Promise<{ register: (tag: string) => Promise<void> } | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration();
  return ((registration ?? {}) as { sync?: { register: (tag: string) => Promise<void> } }).sync;
}
