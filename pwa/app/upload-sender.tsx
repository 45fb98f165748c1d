import { useEffect } from 'react';
import { hasConnection, subscribeConnection } from '#pwa/lib/connection.ts';
import { useSessionMarker } from '#pwa/lib/use-session-marker.ts';

/** Tabs that wait for the same pause do not call at once; nobody calls without any pause. */
const JITTER = 0.5;
const SHORTEST_PAUSE_MS = 1000;

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

  const send = async (isPatient: boolean) => {
    clearTimeout(timer);
    if (!isCurrent || !hasConnection()) return;
    try {
      const pause = await (await queue).sendQueuedUploads(userId, { isPatient });
      clearTimeout(timer);
      if (pause === null || !isCurrent) return;
      // A single lost answer changes nothing about the connection: then nobody else calls.
      const jittered = Math.max(pause, SHORTEST_PAUSE_MS) * (1 + Math.random() * JITTER);
      timer = setTimeout(() => void send(true), jittered);
    } catch (error) {
      console.warn('what waits could not be sent:', error);
    }
  };

  const stopWatching = subscribeConnection(() => void send(false));
  queue.then(
    ({ subscribeUploads }) => {
      if (!isCurrent) return;
      stopListening = subscribeUploads((isNew) => {
        if (isNew) void send(true);
      });
    },
    // Without its file; the next start has it, or the worker sends.
    (error: unknown) => console.warn('nothing that waits is sent:', error),
  );
  void send(true);
  return () => {
    isCurrent = false;
    clearTimeout(timer);
    stopWatching();
    stopListening?.();
  };
}
