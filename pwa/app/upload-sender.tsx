import { useEffect } from 'react';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';

/** A single lost answer changes nothing about the connection: then nobody else calls. */
const RETRY_PAUSE_MS = 5000;

/**
 * Sends what waits for a network, on whatever page: at the start, when there is a connection again, and when something is
 * put there. Not every browser wakes the worker for it.
 */
export function UploadSender() {
  const userId = useSessionMarker()?.userId ?? null;
  useEffect(() => (userId === null ? undefined : keepSending(userId)), [userId]);
  return null;
}

function keepSending(userId: number): () => void {
  let isCurrent = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopListening: (() => void) | null = null;
  // The schemas of what waits are no part of the first picture.
  const queue = import('#pwa/lib/upload-queue.ts');

  const send = async () => {
    clearTimeout(timer);
    if (!isCurrent || !hasConnection()) return;
    try {
      const isDone = await (await queue).sendQueuedUploads(userId);
      if (!isDone) timer = setTimeout(() => void send(), RETRY_PAUSE_MS);
    } catch (error) {
      console.warn('what waits could not be sent:', error);
    }
  };

  const stopWatching = subscribeConnection(() => void send());
  queue.then(
    ({ subscribeUploads }) => {
      if (isCurrent) stopListening = subscribeUploads(() => void send());
    },
    // Without its file; the next start has it, or the worker sends.
    (error: unknown) => console.warn('nothing that waits is sent:', error),
  );
  void send();
  return () => {
    isCurrent = false;
    clearTimeout(timer);
    stopWatching();
    stopListening?.();
  };
}
