import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { forgetCodeWaits } from '#pwa/features/account/code-resend.ts';
import { clearDeviceOwner, setDeviceOwner } from '#pwa/lib/device-owner.ts';
import { forgetPersistedQueries, keepQueries } from '#pwa/lib/persisted-queries.ts';
import { ignoreFailure, sweepStored } from '#pwa/lib/storage.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';

/** Keeps on the device what belongs to whoever is signed in, in every tab, and nothing of anybody else. */
export function DeviceKeeper() {
  const queryClient = useQueryClient();
  const userId = useSessionMarker()?.userId ?? null;
  const previousUserId = useRef<number | null>(null);

  useEffect(() => {
    const wasSignedIn = previousUserId.current !== null;
    previousUserId.current = userId;
    if (userId === null) {
      if (!wasSignedIn) return;
      // Another tab has signed out: this one must not write back what it still remembers.
      forgetPersistedQueries();
      ignoreFailure(clearDeviceOwner());
      forgetCodeWaits();
      return;
    }
    ignoreFailure(sweepDevice(userId));
    void keepQueries(queryClient, userId);
    // Asked once; browsers that refuse may clear the storage when room is short, and nothing here depends on it.
    void navigator.storage?.persist?.();
  }, [queryClient, userId]);
  return null;
}

/** What others have left goes, and shared photos that nobody wanted for long. */
async function sweepDevice(userId: number): Promise<void> {
  await setDeviceOwner(userId);
  await sweepStored(userId);
  const { sweepReceived } = await import('#pwa/lib/received-photos.ts');
  await sweepReceived(userId);
}
