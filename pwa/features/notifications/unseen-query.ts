import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/lib/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/lib/query-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { countUnseen } from '#shared/contract/notifications.ts';

/** Ended generations that nobody has seen. */
export const unseenQuery = queryOptions({
  queryKey: QUERY_KEYS.unseen,
  queryFn: async ({ signal }) => (await callApi(countUnseen, undefined, { signal })).unseen,
  staleTime: USER_DATA_STALE_MS,
});
