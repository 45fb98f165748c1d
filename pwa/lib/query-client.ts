import { QueryClient } from '@tanstack/react-query';

/** Age at which data about the user are fetched again when a page that shows them opens. */
export const USER_DATA_STALE_MS = 60_000;
/**
 * The same for data that an operator changes now and then. Finite, because stored on the device they would otherwise
 * never be fetched again.
 */
export const PUBLIC_DATA_STALE_MS = 3600_000;

/**
 * No retries, no refetch on focus, no interval, data never goes stale, unless a query says otherwise;
 * queries about the user set `staleTime: USER_DATA_STALE_MS`. Offline calls fail at once instead of hanging.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchInterval: false,
        staleTime: Number.POSITIVE_INFINITY,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
