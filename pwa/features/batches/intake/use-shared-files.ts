import { useEffect, useState } from 'react';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import {
  listReceived,
  readReceived,
  removeReceived,
  subscribeReceived,
  takeUpOthers,
} from '#pwa/features/uploads/received-photos.ts';
import type { ReceivedPhoto } from '#pwa/features/uploads/shared-photos.ts';

export interface SharedFiles {
  /** How many photos wait that were shared with the app or dropped on a tool. */
  count: number;
  /** Hands all of them over. Those with which `use` resolves are forgotten, because they are kept elsewhere now. */
  take: (use: (files: readonly File[]) => Promise<readonly File[]>) => Promise<void>;
}

/** The photos that were shared with the app and that no page has used yet. */
export function useSharedFiles(): SharedFiles {
  const userId = useSessionMarker()?.userId ?? null;
  const [photos, setPhotos] = useState<readonly ReceivedPhoto[]>([]);
  useEffect(() => {
    setPhotos([]);
    if (userId === null) return;
    let isCurrent = true;
    const read = () =>
      ignoreFailure(
        takeUpOthers(userId)
          .then(() => listReceived(userId))
          .then((found) => {
            if (isCurrent) setPhotos(found);
          }),
      );
    const stopListening = subscribeReceived(() => void read());
    void read();
    return () => {
      isCurrent = false;
      stopListening();
    };
  }, [userId]);
  return {
    count: photos.length,
    async take(use) {
      const files = await Promise.all(photos.map(readReceived));
      const kept = new Set<File | null>(await use(files.filter((file) => file !== null)));
      await removeReceived(photos.filter((_, index) => kept.has(files[index] ?? null)).map(({ id }) => id));
    },
  };
}
