import { describeUsualWait } from '#pwa/features/generations/waiting-time.ts';
import { nb } from '#pwa/lib/format.ts';
import type { Progress } from '#shared/contract/progress.ts';
import { describeMissingCloseUps } from '#shared/rules/close-ups.ts';
import { countStars, pluralize } from '#shared/rules/plurals.ts';
import { PHOTOSESSION_FRAMES, PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import type { FrameSort } from '#shared/rules/tool-abilities.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';

/** «5 изображений» */
export function countImages(count: number): string {
  return `${count}\u00a0${pluralize(count, ['изображение', 'изображения', 'изображений'])}`;
}

/** A warning before the start: a small photo gives no close-ups. Null when there is nothing to warn of. */
export function warnOfPhoto(photo: { width: number; height: number }, sort: FrameSort): string | null {
  const missing = sort === 'views' ? describeMissingCloseUps(photo) : null;
  return missing && nb(missing);
}

/** The text about the waiting time. Null before the server's first answer, because that could contradict it. */
export function describeWait(progress: Progress | null, elapsedSeconds: number): string | null {
  return progress && describeUsualWait(progress.expectedSeconds, elapsedSeconds, TOOLS.photosession.usualWait);
}

/** Says that fewer frames than promised were made, and which stars came back; null when all are there. */
export function describeShortfall(frames: number, starsSpent: number): string | null {
  if (frames >= PHOTOSESSION_FRAMES) return null;
  const got = `${pluralize(frames, ['Получилось', 'Получились', 'Получилось'])} ${frames} из ${PHOTOSESSION_FRAMES} изображений.`;
  return nb([got, describeRefund(starsSpent)].filter(Boolean).join(' '));
}

/** «1 звезда возвращена.», «2 звезды возвращены.»; empty when nothing came back. */
function describeRefund(starsSpent: number): string {
  const refund = PHOTOSESSION_PRICE - starsSpent;
  if (refund <= 0) return '';
  return `${countStars(refund)} ${pluralize(refund, ['возвращена', 'возвращены', 'возвращено'])}.`;
}

/** The server's text about a failure. Says exactly once that the stars are back. */
export function describeFailure(error: string | null, starsSpent: number): string {
  const message = error || PHOTOSESSION_TEXTS.failedHint;
  if (/зв[её]зд/i.test(message)) return nb(message);
  return nb([message.replace(/\.?$/, '.'), describeRefund(starsSpent)].filter(Boolean).join(' '));
}
