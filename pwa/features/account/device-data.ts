import { clearDeviceOwner } from '#pwa/device/device-owner.ts';
import { ignoreFailure, purgeStored } from '#pwa/device/storage.ts';
import { forgetVisits } from '#pwa/features/consent/visits.ts';
import { forgetReceived } from '#pwa/features/uploads/received-photos.ts';
import { forgetCodes } from './code-resend.ts';

/**
 * After the session has ended: removes the data fetched for its account. The person may come back, so unfinished work
 * stays under the account's id.
 */
export async function closeDevice(): Promise<void> {
  const { forgetPersistedQueries } = await import('#pwa/client/persisted-queries.ts');
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
