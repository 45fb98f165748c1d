import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { getVideoStatus } from '#shared/contract/videos.ts';
import { advanceTracking, type PollFailure, type Tracking, type TrackingEvent } from './tracking.ts';
import { VIDEO_TEXTS } from './video-texts.ts';

/** A request that takes longer counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Coming back to the tab asks at once, but not more often than this. */
const REFRESH_MIN_PAUSE_MS = 2000;

export interface GenerationTracker {
  get: () => Tracking | null;
  /** Tells of every change; gives the function that ends the subscription. */
  subscribe: (listener: (next: Tracking | null, previous: Tracking | null) => void) => () => void;
  /** Follows this generation from now on and forgets any other. */
  follow: (tracking: Tracking) => void;
  /** Asks now and goes on: «Проверить ещё раз». */
  checkAgain: () => void;
  /** Asks now if all is well: the tab came back. */
  refresh: () => void;
  setOnline: (isOnline: boolean) => void;
  /** Stops asking and forgets; the job itself runs on. */
  forget: () => void;
}

/** Drives `advanceTracking` with the real clock and the real status call; one generation at a time. */
export function createGenerationTracker(): GenerationTracker {
  let tracking: Tracking | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | null = null;
  const listeners = new Set<(next: Tracking | null, previous: Tracking | null) => void>();

  function put(next: Tracking | null): void {
    const previous = tracking;
    if (next === previous) return;
    tracking = next;
    clearTimeout(timer);
    if (next?.nextPollAt != null && !request) timer = setTimeout(poll, Math.max(0, next.nextPollAt - Date.now()));
    for (const listener of listeners) listener(next, previous);
  }

  function apply(event: TrackingEvent): void {
    if (tracking) put(advanceTracking(tracking, event));
  }

  async function poll(): Promise<void> {
    if (!tracking) return;
    const { generationId } = tracking;
    const own = new AbortController();
    request = own;
    const event = await askStatus(generationId, own.signal);
    if (request !== own) return;
    request = null;
    apply(event);
  }

  function abandonRequest(): void {
    request?.abort();
    request = null;
  }

  return {
    get: () => tracking,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow(next) {
      abandonRequest();
      put(next);
    },
    checkAgain: () => apply({ type: 'check_requested', at: Date.now() }),
    refresh() {
      if (!tracking || tracking.nextPollAt === null || tracking.failuresInARow > 0) return;
      if (Date.now() - (tracking.lastPollAt ?? 0) < REFRESH_MIN_PAUSE_MS) return;
      apply({ type: 'check_requested', at: Date.now() });
    },
    setOnline: (isOnline) => apply(isOnline ? { type: 'came_online', at: Date.now() } : { type: 'went_offline' }),
    forget() {
      abandonRequest();
      put(null);
    },
  };
}

async function askStatus(generationId: string, signal: AbortSignal): Promise<TrackingEvent> {
  try {
    const answer = await callApi(
      getVideoStatus,
      { query: { generationId } },
      { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) },
    );
    return { type: 'answered', at: Date.now(), answer };
  } catch (error) {
    return { type: 'poll_failed', at: Date.now(), failure: classifyPollFailure(error) };
  }
}

/** What a failed status call means for the polling. */
export function classifyPollFailure(error: unknown): PollFailure {
  if (!(error instanceof ApiError) || error.status === 0) {
    return { kind: 'network', message: VIDEO_TEXTS.pollFailed };
  }
  const message = error.serverMessage ?? VIDEO_TEXTS.pollFailed;
  if (error.status === 503) return { kind: 'unavailable', message };
  if ([403, 404, 410].includes(error.status)) return { kind: 'lost', message };
  return { kind: 'server', message };
}
