import { useEffect } from 'react';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';

/** Spreads the calls of tabs that wait for the same pause. There is always some pause. */
const JITTER = 0.5;
const SHORTEST_PAUSE_MS = 1000;

/**
 * Sends queued uploads, on any page: at the start, when the connection returns, and when something is queued. Not every
 * browser has background sync in the worker.
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
  // Loaded late, because its schemas are not needed for the first paint.
  const queue = import('#pwa/features/uploads/upload-queue.ts');

  const send = async (isPatient: boolean) => {
    clearTimeout(timer);
    if (!isCurrent || !hasConnection()) return;
    try {
      const pause = await (await queue).sendQueuedUploads(userId, { isPatient });
      clearTimeout(timer);
      if (pause === null || !isCurrent) return;
      // A single lost answer does not change the connection state, so nothing else would trigger the next try.
      const jittered = Math.max(pause, SHORTEST_PAUSE_MS) * (1 + Math.random() * JITTER);
      timer = setTimeout(() => void send(true), jittered);
    } catch (error) {
      console.warn('what waits could not be sent:', error);
    }
  };

  const stopWatching = connection.subscribe(() => void send(false));
  queue.then(
    ({ subscribeUploads }) => {
      if (!isCurrent) return;
      stopListening = subscribeUploads((isNew) => {
        if (isNew) void send(true);
      });
    },
    // The module could not be loaded. The next start or the worker sends instead.
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
