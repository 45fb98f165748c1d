import { z } from 'zod';
import { STREAM_EVENTS, type StreamEvent, streamEventData, streamEvents } from '#shared/contract/events.ts';

const pageNudge = streamEventData.extend({ event: z.enum(STREAM_EVENTS) });
/** Something of the account has changed; the new state has to be fetched. `gap`: anything may have changed. */
export type PageNudge = z.infer<typeof pageNudge>;

const RECONNECT_MIN_MS = 1000;
const RECONNECT_MAX_MS = 60_000;
/** After a stream of this length, pauses start again from the shortest. */
const STEADY_MS = 30_000;
/** Lists fetched within this time are not fetched again when the stream opens. */
const FRESH_PAGE_MS = 10_000;

const listeners = new Set<(nudge: PageNudge) => void>();

/** Calls the listener for every nudge of this browser; returns the function that ends it. */
export function onNudge(listener: (nudge: PageNudge) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Follows the server's nudges for an account until the returned function is called. One tab holds the stream, by a lock
 * that another tab gets when it closes, and passes the nudges on. Browsers without such locks get none: everything is
 * polled anyway. `onOpen` runs in the tab with the stream, each time it opens.
 */
export function followNudges(userId: number, onOpen: () => void): () => void {
  if (!navigator.locks || !('BroadcastChannel' in window)) return () => undefined;
  const name = `podium.nudges.${userId}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => {
    const parsed = pageNudge.safeParse(data);
    if (parsed.success) tell(parsed.data);
  };
  const stop = new AbortController();
  const lead = () =>
    holdStream({
      signal: stop.signal,
      onOpen,
      onNudge: (nudge) => {
        channel.postMessage(nudge);
        tell(nudge);
      },
    });
  navigator.locks.request(name, { signal: stop.signal }, lead).catch((error: unknown) => {
    if (!stop.signal.aborted) console.warn('no nudges:', error);
  });
  return () => {
    stop.abort();
    channel.close();
  };
}

/** Resolves when `signal` is aborted; until then it reopens the stream whenever it ends. */
function holdStream({
  signal,
  onOpen,
  onNudge,
}: {
  signal: AbortSignal;
  onOpen: () => void;
  onNudge: (nudge: PageNudge) => void;
}): Promise<void> {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let openedAt = 0;
  let isFirst = true;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
  const openLater = () => {
    close();
    if (openedAt > 0 && performance.now() - openedAt > STEADY_MS) failures = 0;
    openedAt = 0;
    timer = setTimeout(open, reconnectPauseMs(failures++, Math.random()));
  };
  const open = () => {
    close();
    // The `online` event reopens it; attempts before that would only fill the console.
    if (!navigator.onLine) return;
    const own = new EventSource(streamEvents.path);
    source = own;
    own.onopen = () => {
      openedAt = performance.now();
      if (!isFirst || openedAt > FRESH_PAGE_MS) onNudge({ event: 'gap' });
      isFirst = false;
      onOpen();
    };
    own.onerror = openLater;
    for (const event of STREAM_EVENTS) own.addEventListener(event, ({ data }) => receive(event, data));
  };
  const receive = (event: StreamEvent, data: string) => {
    const parsed = pageNudge.safeParse({ ...parseJson(data), event });
    if (parsed.success) onNudge(parsed.data);
    if (event === 'end') openLater();
  };

  addEventListener('online', open, { signal });
  addEventListener('offline', close, { signal });
  open();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => {
    close();
    resolve();
  });
  if (signal.aborted) {
    close();
    resolve();
  }
  return promise;
}

/** Growing pauses, with jitter, so that not everybody reconnects to a restarted server at once. `random`: 0 to 1. */
export function reconnectPauseMs(failuresBefore: number, random: number): number {
  const pauseMs = Math.min(RECONNECT_MIN_MS * 2 ** failuresBefore, RECONNECT_MAX_MS);
  return Math.round(pauseMs * (0.5 + random / 2));
}

function tell(nudge: PageNudge): void {
  for (const listener of listeners) listener(nudge);
}

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
