import { nb } from '#pwa/format.ts';
import type { Video } from '#shared/contract/videos.ts';
import { pluralize } from '#shared/rules/plurals.ts';

/** «Видео, 5 секунд» */
export function describeLength({ duration }: Pick<Video, 'duration'>): string {
  const seconds = Math.round(duration);
  return nb(`Видео, ${seconds} ${pluralize(seconds, ['секунда', 'секунды', 'секунд'])}`);
}

/** The Swedish format is year-month-day. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' });
const DAY_IN_TITLE = /_\d{4}-\d{2}-\d{2}(?=_[0-9a-f]{8}$)/;

/**
 * The title of a result as pages show it: with the day in the zone of this device, like the date beside it. The server
 * writes that of Moscow, which stays in the names of files.
 */
export function readTitle({ title, createdAt }: { title: string; createdAt: string }): string {
  return title.replace(DAY_IN_TITLE, () => `_${DAY.format(new Date(createdAt))}`);
}
