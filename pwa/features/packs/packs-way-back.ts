import type { WayBack } from '#pwa/features/generations/way-back.ts';
import type { PackSubject } from '#shared/contract/packs.ts';

/** Query parameter that opens the packs of what the page is about. */
export const PACKS_PARAMETER = 'packs';

/** The way back from a payment to the packs of the open page. Null for chosen results: the page forgets the choice. */
export function buildPacksWayBack(subject: PackSubject): WayBack | null {
  if ('itemIds' in subject) return null;
  const query = new URLSearchParams(location.search);
  query.set(PACKS_PARAMETER, '1');
  const label = 'Собрать пакеты';
  return { path: `${location.pathname}?${query}`, label, purpose: label };
}
