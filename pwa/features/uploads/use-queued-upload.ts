import { useEffect, useState } from 'react';
import { ignoreFailure } from '#pwa/device/storage.ts';
import type { QueuedUpload } from './queued-upload.ts';
import { readQueuedUpload, subscribeUploads, type UploadSlot } from './upload-queue.ts';

/** The tool's photo that waits for the network, or for the page to read its result. */
export function useQueuedUpload(userId: number | null, slot: UploadSlot): QueuedUpload | null {
  const [waiting, setWaiting] = useState<QueuedUpload | null>(null);
  useEffect(() => {
    if (userId === null) return;
    let isCurrent = true;
    const read = () =>
      ignoreFailure(
        readQueuedUpload(userId, slot).then((upload) => {
          if (isCurrent) setWaiting(upload);
        }),
      );
    const stopReading = subscribeUploads(read);
    read();
    return () => {
      isCurrent = false;
      stopReading();
    };
  }, [userId, slot]);
  return waiting;
}
