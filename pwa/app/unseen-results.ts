import { queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { whenEntered } from '#pwa/features/session/session-memory.ts';
import { getUnseen, type NewResult } from '#shared/contract/notifications.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** The ended generations that the person has not seen. `LiveUpdates` fetches them. */
export const unseenQuery = queryOptions({
  queryKey: QUERY_KEYS.unseen,
  queryFn: async ({ signal }) => {
    // While the session's token is being replaced, this call would carry the old one and be refused.
    await whenEntered();
    return callApi(getUnseen, undefined, { signal });
  },
  staleTime: USER_DATA_STALE_MS,
});

const NONE: readonly NewResult[] = [];

/** The newest results that the person has not seen on any device. */
export function useNewResults(): readonly NewResult[] {
  return useQuery({ ...unseenQuery, enabled: false }).data?.results ?? NONE;
}

/** «2 новых результата» */
export function countNewResults(count: number): string {
  return `${count} ${pluralize(count, ['новый результат', 'новых результата', 'новых результатов'])}`;
}
