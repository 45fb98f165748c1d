import { clearDeviceOwner } from '#pwa/lib/device-owner.ts';
import { forgetReceived } from '#pwa/lib/received-photos.ts';
import { ignoreFailure, purgeStored } from '#pwa/lib/storage.ts';
import { forgetVisits } from '#pwa/lib/visits.ts';
import { forgetCodeWaits } from './code-resend.ts';

/**
 * The session has ended, but its owner may come back: data fetched for them are removed; what they have begun stays,
 * under their id.
 */
export async function closeDevice(): Promise<void> {
  const { forgetPersistedQueries } = await import('#pwa/lib/persisted-queries.ts');
  forgetPersistedQueries();
  // Without storage there is nothing to remove either.
  await clearDeviceOwner().catch(() => undefined);
}

/** After a sign-out: nothing of the account stays on this device. */
export async function purgeDevice(userId: number | null): Promise<void> {
  await closeDevice();
  ignoreFailure(forgetReceived(userId));
  forgetVisits();
  if (userId !== null) await purgeStored(userId).catch(() => undefined);
  forgetCodeWaits();
}
