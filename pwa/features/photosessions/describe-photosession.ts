import { countReturned, describeReturn } from '#pwa/features/generations/describe-failure.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import { describeMissingCloseUps } from '#shared/rules/close-ups.ts';
import { pluralize } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { FrameSort } from '#shared/rules/tool-abilities.ts';

/** «5 изображений» */
export function countImages(count: number): string {
  return `${count}\u00a0${pluralize(count, ['изображение', 'изображения', 'изображений'])}`;
}

/** A warning before the start: a small photo gives no close-ups. Null when there is nothing to warn of. */
export function warnOfPhoto(photo: { width: number; height: number }, sort: FrameSort): string | null {
  const missing = sort === 'views' ? describeMissingCloseUps(photo) : null;
  return missing && nb(missing);
}

/** Says that fewer frames than promised were made, and which stars came back; null when all are there. */
export function describeShortfall(
  session: Pick<GenerationView, 'results' | 'positions' | 'rerollOf' | 'starsSpent'>,
): string | null {
  const { length: frames } = session.results;
  const { length: promised } = session.positions;
  if (frames >= promised) return null;
  const got = `${pluralize(frames, ['Получилось', 'Получились', 'Получилось'])} ${frames} из ${promised} изображений.`;
  const returned = countReturned(session, PHOTOSESSION_PRICE);
  return nb(returned > 0 ? `${got} ${describeReturn(returned)}` : got);
}
