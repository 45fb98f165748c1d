import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { forgetPersistedQueries, persistQueries } from '#pwa/client/persisted-queries.ts';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/device/device-owner.ts';
import { ignoreFailure, sweepStored } from '#pwa/device/storage.ts';
import { forgetCodes } from '#pwa/features/account/code-resend.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';

/** Keeps the signed-in person's data on the device, in every tab, and removes everybody else's. */
export function DeviceKeeper() {
  const queryClient = useQueryClient();
  const userId = useSessionMarker()?.userId ?? null;
  const previousUserId = useRef<number | null>(null);

  useEffect(() => {
    const wasSignedIn = previousUserId.current !== null;
    previousUserId.current = userId;
    if (userId === null) {
      if (!wasSignedIn) return;
      // Another tab has signed out. This tab must not write back what it still has in memory.
      forgetPersistedQueries();
      ignoreFailure(clearDeviceOwner());
      forgetCodes();
      return;
    }
    ignoreFailure(sweepDevice(userId));
    void persistQueries(queryClient, userId);
    // Asks the browser not to evict the storage when space is short. Nothing here depends on the answer.
    void navigator.storage?.persist?.();
  }, [queryClient, userId]);
  return null;
}

/** Removes other accounts' data and shared photos that have expired. */
async function sweepDevice(userId: number): Promise<void> {
  await setDeviceOwner(userId);
  await sweepStored(userId);
  const { sweepReceived } = await import('#pwa/features/uploads/received-photos.ts');
  await sweepReceived(userId);
}
