import { queryOptions } from '@tanstack/react-query';
import { getPremiumStatus } from '#shared/contract/account.ts';
import { callApi } from './api-client.ts';
import { USER_DATA_STALE_MS } from './query-client.ts';
import { QUERY_KEYS } from './query-keys.ts';

/** Whether the account has ever paid. This decides about the logo on results and how they may be used. */
export const premiumStatusQuery = queryOptions({
  queryKey: QUERY_KEYS.premiumStatus,
  queryFn: ({ signal }) => callApi(getPremiumStatus, undefined, { signal }),
  staleTime: USER_DATA_STALE_MS,
});
