import { MARKETPLACE_MIN_PX } from './photo-requirements.ts';

/** Which views a photo session can make from a photo, given its pixels. */
interface PhotoSize {
  width: number;
  height: number;
}

/** The width that a product page needs. A photo of at least this size gives all its pictures in it. */
export const WANTED_WIDTH = 1200;
/** A stronger enlargement would pretend detail that the photo does not have. */
export const MAX_ENLARGEMENT = 1.35;
/** Largest share of the whole photo's frame that still counts as a close-up. */
export const WIDEST_CLOSE_UP = 0.86;

/** Width in pixels of the largest 3:4 part of a photo. */
export function largestWindow({ width, height }: PhotoSize): number {
  return Math.min(width, Math.floor((height * 3) / 4));
}

/** The width of the smallest 3:4 picture made from a photo. All marketplaces accept it. A large photo gives more. */
export function leastPictureWidth(photo: PhotoSize): number {
  return largestWindow(photo) >= WANTED_WIDTH ? WANTED_WIDTH : MARKETPLACE_MIN_PX.width;
}

/** Pixels of the photo that a close-up has to show across, so that it is not enlarged too much. */
export function leastCloseUpWidth(photo: PhotoSize): number {
  return Math.ceil(leastPictureWidth(photo) / MAX_ENLARGEMENT / 3) * 3;
}

/** Whether a photo is large enough for close-ups. Which ones there are depends on what it shows. */
export function hasCloseUps(photo: PhotoSize): boolean {
  const around = Math.max(photo.width, (photo.height * 3) / 4);
  return leastCloseUpWidth(photo) <= around * WIDEST_CLOSE_UP;
}

/** The notice before the start of a photo session. Null when the photo is large enough. */
export function describeMissingCloseUps(photo: PhotoSize): string | null {
  if (hasCloseUps(photo)) return null;
  return `В этой фотографии ${photo.width}×${photo.height} пикселей: крупных планов не будет, вместо них — вещь целиком на других фонах`;
}
