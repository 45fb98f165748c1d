import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/lib/api-client.ts';
import { listPushDevices } from '#shared/contract/notifications.ts';

/** Browsers that are told of results; always asked anew. */
export const devicesQuery = queryOptions({
  queryKey: ['push-devices'],
  queryFn: async ({ signal }) => (await callApi(listPushDevices, undefined, { signal })).devices,
  staleTime: 0,
});
