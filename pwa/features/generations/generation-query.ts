import { type QueryClient, type QueryState, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { limitSignal } from '#pwa/client/limit-signal.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { hasConnection } from '#pwa/device/connection.ts';
import { type GenerationResult, type GenerationView, getGeneration } from '#shared/contract/generations.ts';
import {
  type GenerationKind,
  type GenerationStatus,
  isFinal,
  MODEL_CHANGE_POLL_MS,
  PHOTOSESSION_POLL_MS,
  POLL_INTERVAL_MS,
  POLL_MAX_FAILURES,
  POLL_TIMEOUT_MS,
  pollDelayMs,
} from '#shared/rules/generation-lifecycle.ts';

/** A longer request counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;
/** A comparison with the photo takes seconds. The stream of events announces its end too. */
const PENDING_CHECK_MS = 5_000;

/** `lost`: the server does not know this generation or refuses to show it, so another question is useless. */
export interface PollFailure {
  kind: 'network' | 'unavailable' | 'server' | 'signed_out' | 'lost';
  /** The server's message for people; null when it sent none. */
  message: string | null;
}

/**
 * What the page knows of a generation. A failed question is a part of that and not an error of the query: the last
 * answer stays, and the failures since then decide when to ask again.
 */
export interface KnownGeneration {
  /** The server's last answer; null before the first one. */
  view: GenerationView | null;
  /** Why the questions since that answer have failed, oldest first; the last `POLL_MAX_FAILURES` of them. */
  failures: readonly PollFailure[];
  /** How many questions have had an answer or failed. */
  polls: number;
}
export type GenerationQueryState = Pick<QueryState<KnownGeneration>, 'data' | 'dataUpdatedAt' | 'fetchStatus'>;

/** How often a running generation is asked for, and when the page gives up. */
interface Polling {
  pauseMs: number;
  pauseAfterFailureMs: (failuresInARow: number) => number;
  /** The page gives up after this many failures in a row. */
  maxFailures: number;
  /** The page stops asking after this time. */
  limitMs: number;
}

/** Pictures are asked for often and without end, but more slowly while the server fails. */
function pollSteadily(pauseMs: number): Polling {
  const pauseAfterFailureMs = () => POLL_INTERVAL_MS;
  return { pauseMs, pauseAfterFailureMs, maxFailures: Number.POSITIVE_INFINITY, limitMs: Number.POSITIVE_INFINITY };
}

export const POLLING: Readonly<Record<GenerationKind, Polling>> = {
  // Fixed by the specification: rarely, and not for ever.
  video: {
    pauseMs: POLL_INTERVAL_MS,
    pauseAfterFailureMs: pollDelayMs,
    maxFailures: POLL_MAX_FAILURES,
    limitMs: POLL_TIMEOUT_MS,
  },
  photosession: pollSteadily(PHOTOSESSION_POLL_MS),
  model_change: pollSteadily(MODEL_CHANGE_POLL_MS),
  try_on: pollSteadily(MODEL_CHANGE_POLL_MS),
};

/**
 * One generation, for all that show it. Asks again by itself while it runs or its results are compared with the photo;
 * `LiveUpdates` makes it ask when the server reports a change.
 */
export function generationQuery(generationId: string) {
  return queryOptions({
    queryKey: [...QUERY_KEYS.generation, generationId],
    queryFn: async ({ client, queryKey, signal }): Promise<KnownGeneration> => {
      const known = client.getQueryData<KnownGeneration>(queryKey) ?? NOTHING_KNOWN;
      try {
        const options = { signal: limitSignal(signal, REQUEST_TIMEOUT_MS) };
        return noteAnswer(known, await callApi(getGeneration, { params: { id: generationId } }, options));
      } catch (error) {
        // Nobody waits for this answer any more.
        if (signal.aborted) throw error;
        return noteFailure(known, classifyFailure(error));
      }
    },
    initialData: NOTHING_KNOWN,
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state: { data } }) => pauseOf(data),
    refetchOnReconnect: ({ state: { data } }) => (data?.failures.length || pauseOf(data) ? 'always' : false),
    // Several parts of a page read it.
    staleTime: PENDING_CHECK_MS,
  });
}
const NOTHING_KNOWN: KnownGeneration = { view: null, failures: [], polls: 0 };

function pauseOf(known: KnownGeneration | undefined): number | false {
  return known?.view ? pauseBeforeNext(known.view.kind, known) : false;
}

/** The milliseconds until the generation is asked for again; false when it is not. */
export function pauseBeforeNext(kind: GenerationKind, { view, failures }: KnownGeneration): number | false {
  if (!hasConnection()) return false;
  if (view && isFinal(view.status)) return view.results.some(isPending) ? PENDING_CHECK_MS : false;
  const { pauseMs, pauseAfterFailureMs, maxFailures } = POLLING[kind];
  const last = failures.at(-1);
  if (!last) return pauseMs;
  if (last.kind === 'lost' || last.kind === 'signed_out' || failures.length >= maxFailures) return false;
  return pauseAfterFailureMs(failures.length);
}

/** An end is not taken back by an older answer. Only a failure may still turn into a result. */
export function noteAnswer({ view: before, polls }: KnownGeneration, view: GenerationView): KnownGeneration {
  return { view: before && !isNewer(before.status, view.status) ? before : view, failures: [], polls: polls + 1 };
}

export function noteFailure({ view, failures, polls }: KnownGeneration, failure: PollFailure): KnownGeneration {
  return { view, failures: [...failures, failure].slice(-POLL_MAX_FAILURES), polls: polls + 1 };
}

/** Whether the second status may come after the first. */
export function isNewer(before: GenerationStatus, next: GenerationStatus): boolean {
  return !isFinal(before) || before === next || (before === 'failed' && next === 'completed');
}

/** Counts failures from zero again, because the person asks to or the page begins to follow the generation. */
export function forgetFailures(queryClient: QueryClient, generationId: string): void {
  const { queryKey } = generationQuery(generationId);
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
  queryClient.setQueryData(queryKey, (known) => known && { ...known, failures: [] }, { updatedAt });
}

/** How many questions about it have had an answer or failed so far. */
export function countPolls(queryClient: QueryClient, generationId: string): number {
  return queryClient.getQueryData(generationQuery(generationId).queryKey)?.polls ?? 0;
}

function classifyFailure(error: unknown): PollFailure {
  if (!(error instanceof ApiError) || error.status === 0) return { kind: 'network', message: null };
  const message = describeError(error, '') || null;
  if (error.status === 503) return { kind: 'unavailable', message };
  if (error.status === 401) return { kind: 'signed_out', message };
  return { kind: [403, 404, 410].includes(error.status) ? 'lost' : 'server', message };
}

/**
 * A generation whose results are compared with the photo; null while unknown. `known`: what the page has of it already.
 * Then nothing is asked unless something is compared.
 */
export function useGarmentChecks(generationId: string, known: GenerationView | null = null): GenerationView | null {
  const isAsked = known === null || known.results.some(({ garmentCheck }) => garmentCheck !== null);
  return useQuery({ ...generationQuery(generationId), enabled: isAsked }).data.view ?? known;
}

function isPending({ garmentCheck }: GenerationResult): boolean {
  return garmentCheck?.verdict === 'pending';
}
