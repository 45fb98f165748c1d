import { createStore } from './store.ts';

const PROBE_PATH = '/healthz';
const PROBE_PAUSE_MS = 4000;
const PROBE_TIMEOUT_MS = 8000;

/** Whether the server can be reached, as far as is known. */
export const connection = createStore(true);
/** How often the browser has reported that there is no network. */
let disconnections = 0;
let isWatched = false;
let probing: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

export function hasConnection(): boolean {
  return connection.get();
}

/** From now on results of calls change the state. Before that, and in the worker, the state is always «connected». */
export function beginWatching(): void {
  isWatched = true;
}

/**
 * Call this when a call got any answer. The call may have been sent before the network was lost, so the server is
 * probed before the state changes.
 */
export function noteAnswered(): void {
  if (isWatched && !hasConnection()) void probeConnection();
}

/** Call this when a call got no answer. That can have other causes, so the server is probed before a change. */
export function noteUnanswered(): void {
  if (isWatched && hasConnection()) void probeConnection();
}

/** The browser reports that there is no network. */
export function noteDisconnected(): void {
  disconnections += 1;
  settle(false);
}

/** Checks whether the server answers; if not, repeats the check. */
export function probeConnection(): Promise<void> {
  probing ??= probe().finally(() => {
    probing = null;
  });
  return probing;
}

async function probe(): Promise<void> {
  const before = disconnections;
  try {
    await fetch(PROBE_PATH, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    // A probe that was sent before the disconnection says nothing about the present.
    if (disconnections !== before) return probe();
    settle(true);
  } catch {
    settle(false);
  }
}

function settle(next: boolean): void {
  clearTimeout(timer);
  if (!next) timer = setTimeout(() => void probeConnection(), PROBE_PAUSE_MS);
  connection.set(next);
}
