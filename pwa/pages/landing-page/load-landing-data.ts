import { callApi } from '#pwa/client/api-client.ts';
import { listStarPackages, type StarPackage } from '#shared/contract/payments.ts';
import { getShowcase, type Showcase } from '#shared/contract/showcase.ts';

export function loadPackages(): Promise<StarPackage[]> {
  return callApi(listStarPackages);
}

export function loadShowcase(): Promise<Showcase> {
  return callApi(getShowcase);
}
