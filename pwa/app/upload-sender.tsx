import { useEffect } from 'react';
import { connection, hasConnection } from '#pwa/device/connection.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';

/** Spreads the calls of tabs that wait for the same pause. There is always some pause. */
const JITTER = 0.5;
const SHORTEST_PAUSE_MS = 1000;

/** A queue that waits on the device. */
interface Queue {
  /**
   * Sends what waits. Returns the milliseconds until it should be called again, or null when nothing waits. `isPatient`:
   * what recently did not succeed stays until its pause is over.
   */
  send: (userId: number, isPatient: boolean) => Promise<number | null>;
  /** Calls the listener when there is something new to send. Returns the function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
}

// Loaded late, because their schemas are not needed for the first paint.
const loadPhotos = async (): Promise<Queue> => {
  const { sendQueuedUploads, subscribeUploads } = await import('#pwa/features/uploads/upload-queue.ts');
  return {
    send: (userId, isPatient) => sendQueuedUploads(userId, { isPatient }),
    subscribe: (listener) => subscribeUploads((isNew) => isNew && listener()),
  };
};
const loadBatches = async (): Promise<Queue> => {
  const [{ subscribeBatchUploads }, { sendBatchUploads }, { sendBatchFileWithProgress }, { announceRefused }] =
    await Promise.all([
      import('#pwa/features/uploads/batch-uploads.ts'),
      import('#pwa/features/uploads/send-batch-uploads.ts'),
      import('#pwa/features/uploads/send-batch-file.ts'),
      import('#pwa/features/batches/intake/announce-refused.ts'),
    ]);
  return {
    send: (userId) => sendBatchUploads(userId, sendBatchFileWithProgress),
    subscribe: (listener) =>
      subscribeBatchUploads((news) => {
        if (news.type === 'queued') listener();
        if (news.type === 'refused') announceRefused(news);
      }),
  };
};

/**
 * Sends queued uploads, on any page: at the start, when the connection returns, and when something is queued. Not every
 * browser has background sync in the worker.
 */
export function UploadSender() {
  const userId = useSessionMarker()?.userId ?? null;
  useEffect(() => (userId === null ? undefined : keepSending(userId, loadPhotos)), [userId]);
  useEffect(() => (userId === null ? undefined : keepSending(userId, loadBatches)), [userId]);
  return null;
}

function keepSending(userId: number, load: () => Promise<Queue>): () => void {
  let isCurrent = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopListening: (() => void) | null = null;
  const queue = load();

  const send = async (isPatient: boolean) => {
    clearTimeout(timer);
    if (!isCurrent || !hasConnection()) return;
    try {
      const pause = await (await queue).send(userId, isPatient);
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
    ({ subscribe }) => {
      if (isCurrent) stopListening = subscribe(() => void send(true));
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
