import { useQuery } from '@tanstack/react-query';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import type { StarPackage } from '#shared/contract/payments.ts';
import type { Showcase } from '#shared/contract/showcase.ts';

// A prerendered page brings both answers along: what asks for them is loaded only after a move inside the app.

/** Packages for sale; undefined while they are on their way, and where they cannot be had. */
export function usePackages(): StarPackage[] | undefined {
  return useQuery({
    queryKey: QUERY_KEYS.starPackages,
    queryFn: async () => (await import('./load-landing-data.ts')).loadPackages(),
  }).data;
}

/** What this installation has to show; undefined while it is on its way, and where it cannot be had. */
export function useShowcase(): Showcase | undefined {
  return useQuery({
    queryKey: QUERY_KEYS.showcase,
    queryFn: async () => (await import('./load-landing-data.ts')).loadShowcase(),
  }).data;
}
