import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '#pwa/lib/api-error.ts';
import { POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';

/** A status request that takes longer counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;

export interface StatusPolling<Status> {
  queryKey: readonly string[];
  ask: (signal: AbortSignal) => Promise<Status>;
  isRunning: (status: Status) => boolean;
  /** Between two questions, in milliseconds. */
  pauseMs: number;
}

/** The state of one generation, asked again and again until it has ended, in hidden tabs too. */
export function statusQuery<Status>({ queryKey, ask, isRunning, pauseMs }: StatusPolling<Status>) {
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => ask(AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)])),
    staleTime: 0,
    refetchInterval: ({ state: { data, error } }) => {
      if (isLost(error) || isSignedOut(error)) return false;
      // Not so often into a server that is down; «Повторить» asks at once.
      if (error) return POLL_INTERVAL_MS;
      return data === undefined || isRunning(data) ? pauseMs : false;
    },
    refetchIntervalInBackground: true,
  });
}

/** Whether the server does not know the generation or does not show it to us: asking again changes nothing. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 410].includes(error.status);
}

function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
