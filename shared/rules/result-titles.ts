import { shortId } from './short-id.ts';

/** Code points of a photo's name in a title: the rest has to fit beside it into the name of a file. */
const PHOTO_NAME_MAX_LENGTH = 60;
const PHOTO_NAME_WHEN_EMPTY = 'Фото';
/** What a title adds to a photo's name. A result that becomes a photo itself does not carry it on. */
const ADDED = /_[^_]+_\d{4}-\d{2}-\d{2}_[0-9a-f]{8}.*$/;
/** Swedes write dates as years, months and days. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Moscow' });

interface TitledResult {
  /** As its owner called the file. */
  photoName: string;
  /** The motion, or the tool; without «_», which parts the parts. */
  made: string;
  startedAt: Date;
  generationId: string;
}

/** «Платье_Дефиле_2026-11-22_9f3a1c07»: unlike any other of its owner, and telling what it is without being opened. */
export function composeTitle({ photoName, made, startedAt, generationId }: TitledResult): string {
  const name = photoName
    .replace(/\.(jpe?g|png|webp|hei[cf])$/i, '')
    .replace(ADDED, '')
    .trim();
  const stem = [...name].slice(0, PHOTO_NAME_MAX_LENGTH).join('') || PHOTO_NAME_WHEN_EMPTY;
  return [stem, made, DAY.format(startedAt), shortId(generationId)].join('_');
}
