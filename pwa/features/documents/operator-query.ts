import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/lib/api-client.ts';
import { PUBLIC_DATA_STALE_MS } from '#pwa/lib/query-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { getOperator } from '#shared/contract/operator.ts';

/** Who runs the service. Changes only with the server's configuration, so that a preloaded answer stands. */
export const operatorQuery = queryOptions({
  queryKey: QUERY_KEYS.operator,
  queryFn: ({ signal }) => callApi(getOperator, undefined, { signal }),
  staleTime: PUBLIC_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** The operator's data for the public pages. */
export function useOperator() {
  return useQuery(operatorQuery);
}
