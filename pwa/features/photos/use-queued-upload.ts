import { useEffect, useRef, useState } from 'react';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import {
  type QueuedUpload,
  readQueuedUpload,
  sendQueuedUploads,
  subscribeUploads,
  type UploadSlot,
} from '#pwa/lib/upload-queue.ts';

const RETRY_PAUSE_MS = 5000;

/** The photo of a tool that waits for the network, or for the page to take it; sent as soon as there is a connection. */
export function useQueuedUpload(userId: number | null, slot: UploadSlot): QueuedUpload | null {
  const [waiting, setWaiting] = useState<QueuedUpload | null>(null);
  const isWaiting = useRef(false);
  useEffect(() => {
    if (userId === null) return;
    let isCurrent = true;
    const read = () =>
      ignoreFailure(
        readQueuedUpload(userId, slot).then((upload) => {
          isWaiting.current = upload !== null && upload.failure === null;
          if (isCurrent) setWaiting(upload);
          if (upload?.file) send();
        }),
      );
    const send = () => {
      if (hasConnection() && isWaiting.current) ignoreFailure(sendQueuedUploads(userId).then(() => undefined));
    };
    const stopReading = subscribeUploads(read);
    const stopWatching = subscribeConnection(send);
    read();
    // A single lost answer changes nothing about the connection: then nobody else calls.
    const timer = setInterval(send, RETRY_PAUSE_MS);
    return () => {
      isCurrent = false;
      stopReading();
      stopWatching();
      clearInterval(timer);
    };
  }, [userId, slot]);
  return waiting;
}
