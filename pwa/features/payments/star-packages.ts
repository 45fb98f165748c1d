import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { USER_DATA_STALE_MS } from '#pwa/client/query-client.ts';
import { listPaymentProviders, listStarPackages, type StarPackage } from '#shared/contract/payments.ts';
import { PACKAGES_ANSWER_MESSAGES } from './payment-texts.ts';

export const starPackagesQuery = queryOptions({
  queryKey: ['star-packages'],
  queryFn: ({ signal }) => callApi(listStarPackages, undefined, { signal, messages: PACKAGES_ANSWER_MESSAGES }),
  // Prices may change while the app is open for days.
  staleTime: USER_DATA_STALE_MS,
  meta: { persist: 'whole' },
});

/** The names of the payment providers, the usual one first. */
export const paymentProvidersQuery = queryOptions({
  queryKey: ['payment-providers'],
  queryFn: async ({ signal }) => (await callApi(listPaymentProviders, undefined, { signal })).providers,
  staleTime: USER_DATA_STALE_MS,
});

/** The smallest package that covers the missing stars; null when none are missing or no package is large enough. */
export function suggestPackage(packages: readonly StarPackage[], missingStars: number): StarPackage | null {
  if (missingStars <= 0) return null;
  const [smallest] = packages.filter(({ stars }) => stars >= missingStars).sort((a, b) => a.stars - b.stars);
  return smallest ?? null;
}
