import { QueryClient } from '@tanstack/react-query';

/** Data about the user that are older than this are fetched again when a page shows them. */
export const USER_DATA_STALE_MS = 60_000;
/**
 * Data that an operator changes now and then are fetched again when they are older than this. It is finite, because
 * otherwise answers stored on the device would never be fetched again.
 */
export const PUBLIC_DATA_STALE_MS = 3600_000;

/** Where `persisted-queries.ts` stores answers, in localStorage. */
export const PERSISTED_QUERIES_KEY = 'podium.queries';

/**
 * By default nothing is retried, nothing is refetched on focus or by interval, and data never go stale. When the
 * connection returns, queries that failed and data that came from the device are fetched again. Queries about the user
 * set `staleTime: USER_DATA_STALE_MS`. A call without a network fails at once instead of waiting.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        refetchOnReconnect: ({ state }) => (state.error !== null || state.isInvalidated ? 'always' : false),
        staleTime: Number.POSITIVE_INFINITY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
