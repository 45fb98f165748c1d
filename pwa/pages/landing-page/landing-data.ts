import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import type { Showcase } from '#shared/contract/showcase.ts';

// A prerendered page contains both answers. The code that fetches them is loaded only after a navigation inside the
// app.

/** The packages for sale; undefined while they load or if they cannot be loaded. */
export function usePackages(): StarPackage[] | undefined {
  return useQuery({
    queryKey: QUERY_KEYS.starPackages,
    queryFn: async () => (await import('./load-landing-data.ts')).loadPackages(),
  }).data;
}

/** What this installation shows on the landing page; undefined while it loads or if it cannot be loaded. */
export function useShowcase(): Showcase | undefined {
  return useQuery({
    queryKey: QUERY_KEYS.showcase,
    queryFn: async () => (await import('./load-landing-data.ts')).loadShowcase(),
  }).data;
}
