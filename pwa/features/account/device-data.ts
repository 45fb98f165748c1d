import { clearDeviceOwner } from '#pwa/lib/device-owner.ts';
import { forgetReceived } from '#pwa/lib/received-photos.ts';
import { ignoreFailure, purgeStored } from '#pwa/lib/storage.ts';
import { forgetVisits } from '#pwa/lib/visits.ts';
import { forgetCodes } from './code-resend.ts';

/**
 * After the session has ended: removes the data fetched for its account. The person may come back, so unfinished work
 * stays under the account's id.
 */
export async function closeDevice(): Promise<void> {
  const { forgetPersistedQueries } = await import('#pwa/lib/persisted-queries.ts');
  forgetPersistedQueries();
  // Without storage there is nothing to remove.
  await clearDeviceOwner().catch(() => undefined);
}

/** After a sign-out: removes everything of the account from this device. */
export async function purgeDevice(userId: number | null): Promise<void> {
  await closeDevice();
  ignoreFailure(forgetReceived(userId));
  forgetVisits();
  if (userId !== null) await purgeStored(userId).catch(() => undefined);
  forgetCodes();
}
