import { TITLE_ADDITION } from './outside-text.ts';
import { shortId } from './short-id.ts';

/** Limit for a photo's name in a title, in code points, so that the rest fits into a file name. */
const PHOTO_NAME_MAX_LENGTH = 60;
const PHOTO_NAME_WHEN_EMPTY = 'Фото';
/** The Swedish format is year-month-day. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Moscow' });

interface TitledResult {
  /** The owner's name for the file. */
  photoName: string;
  /** The motion or the tool. Without «_», which separates the parts. */
  made: string;
  startedAt: Date;
  generationId: string;
}

/** «Платье_Дефиле_2026-11-22_9f3a1c07»: unique for its owner, and it tells what the file is. */
export function composeTitle({ photoName, made, startedAt, generationId }: TitledResult): string {
  // A photo may be such a result itself.
  const name = photoName
    .replace(/\.(jpe?g|png|webp|hei[cf]|avif)$/i, '')
    .replace(TITLE_ADDITION, '')
    .trim();
  const stem = [...name].slice(0, PHOTO_NAME_MAX_LENGTH).join('') || PHOTO_NAME_WHEN_EMPTY;
  return [stem, made, DAY.format(startedAt), shortId(generationId)].join('_');
}
