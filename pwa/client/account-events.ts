import * as z from 'zod/mini';
import { withResolvers } from '#pwa/device/with-resolvers.ts';
import { STREAM_EVENTS, type StreamEvent, streamEventData, streamEvents } from '#shared/contract/events.ts';
import { backOffMs } from '#shared/rules/back-off.ts';

const accountEvent = z.extend(streamEventData, { event: z.enum(STREAM_EVENTS) });
/**
 * An event of the server's stream: something of the account has changed and must be fetched again. `gap` means that
 * events may have been missed, so anything may have changed.
 */
export type AccountEvent = z.infer<typeof accountEvent>;

const RECONNECT_MIN_MS = 1000;
const RECONNECT_MAX_MS = 60_000;
/** A stream that lasted this long resets the back-off. */
const STEADY_MS = 30_000;
/** A page younger than this has fresh data: the first opening of the stream then refetches nothing. */
const FRESH_PAGE_MS = 10_000;

interface StreamHooks {
  /** Called in every tab for every event of this browser. */
  onEvent(event: AccountEvent): void;
  /** Awaited before each attempt to open the stream. */
  beforeOpen(): Promise<void>;
  /** `isGap`: a gap was told of before. */
  onOpen(opening: { isGap: boolean }): void;
}

/**
 * Follows the server's events of an account until the returned function is called. One tab holds the stream under a
 * Web Lock and passes the events to the others; when it closes, another tab gets the lock. A browser without Web Locks
 * gets no events: pages poll anyway. The other hooks run in the tab with the stream.
 */
export function followAccountEvents(userId: number, hooks: StreamHooks): () => void {
  if (!navigator.locks || !('BroadcastChannel' in window)) return () => undefined;
  const name = `podium.accountEvents.${userId}`;
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => {
    const parsed = accountEvent.safeParse(data);
    if (parsed.success) hooks.onEvent(parsed.data);
  };
  const stop = new AbortController();
  const lead = () =>
    holdStream({
      signal: stop.signal,
      ...hooks,
      onEvent: (event) => {
        channel.postMessage(event);
        hooks.onEvent(event);
      },
    });
  navigator.locks.request(name, { signal: stop.signal }, lead).catch((error: unknown) => {
    if (!stop.signal.aborted) console.warn('no account events:', error);
  });
  return () => {
    stop.abort();
    channel.close();
  };
}

/** Keeps the stream open, reopening it whenever it ends. Resolves when `signal` is aborted. */
function holdStream({ signal, beforeOpen, onOpen, onEvent }: StreamHooks & { signal: AbortSignal }): Promise<void> {
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
    timer = setTimeout(() => void open(), reconnectPauseMs(failures++, Math.random()));
  };
  const open = async () => {
    await beforeOpen();
    if (signal.aborted) return;
    close();
    // The `online` event reopens the stream. Attempts before that only fill the console with errors.
    if (!navigator.onLine) return;
    const own = new EventSource(streamEvents.path);
    source = own;
    own.onopen = () => {
      openedAt = performance.now();
      const isGap = !isFirst || openedAt > FRESH_PAGE_MS;
      if (isGap) onEvent({ event: 'gap' });
      isFirst = false;
      onOpen({ isGap });
    };
    own.onerror = openLater;
    for (const event of STREAM_EVENTS) own.addEventListener(event, ({ data }) => receive(event, data));
  };
  const receive = (event: StreamEvent, data: string) => {
    const parsed = accountEvent.safeParse({ ...parseJson(data), event });
    if (parsed.success) onEvent(parsed.data);
    if (event === 'end') openLater();
  };

  addEventListener('online', () => void open(), { signal });
  addEventListener('offline', close, { signal });
  void open();
  const { promise, resolve } = withResolvers<void>();
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

/**
 * Exponential back-off with jitter, so that not all clients reconnect to a restarted server at once. `random` is 0 to
 * 1.
 */
export function reconnectPauseMs(failuresBefore: number, random: number): number {
  const pauseMs = backOffMs(failuresBefore, { firstMs: RECONNECT_MIN_MS, longestMs: RECONNECT_MAX_MS });
  return Math.round(pauseMs * (0.5 + random / 2));
}

function parseJson(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
