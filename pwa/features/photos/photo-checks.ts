import { nb } from '#pwa/lib/format.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import {
  MARKETPLACE_MIN_PX,
  PHOTO_ACCEPTED_TYPES,
  PHOTO_MAX_BYTES,
  PHOTO_MIN_SIDE_PX,
  PHOTO_SOFT_MIN_SIDE_PX,
} from '#shared/rules/photo-requirements.ts';

export interface PhotoSize {
  width: number;
  height: number;
}

/** Errors that the page finds before anything is sent, in the server's words. */
export const PHOTO_TEXTS = {
  notImage: ERRORS.photo_missing.message,
  unsupportedImage: ERRORS.photo_not_image.message,
  tooLarge: ERRORS.photo_too_large.message,
  tooSmall: ERRORS.photo_too_small.message,
  unreadable: ERRORS.photo_unreadable.message,
} as const;

const HEIC_NAME = /\.hei[cf]$/i;

/** The error of a file by its type and size; null when there is none. */
export function findFileFault({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): string | null {
  // Windows has no type for HEIC. The server checks the bytes anyway.
  const isHeicByName = type === '' && HEIC_NAME.test(name);
  if (!type.startsWith('image/') && !isHeicByName) return PHOTO_TEXTS.notImage;
  if (!isHeicByName && !PHOTO_ACCEPTED_TYPES.some((accepted) => accepted === type)) return PHOTO_TEXTS.unsupportedImage;
  if (size > PHOTO_MAX_BYTES) return PHOTO_TEXTS.tooLarge;
  if (size === 0) return PHOTO_TEXTS.unreadable;
  return null;
}

/** Only Safari can show HEIC, so the page leaves the check of such a file to the server. */
export function isHeic({ name, type }: Pick<File, 'name' | 'type'>): boolean {
  return type === 'image/heic' || type === 'image/heif' || HEIC_NAME.test(name);
}

/** The error for a picture that is too small; null when it is large enough. */
export function findSizeFault({ width, height }: PhotoSize): string | null {
  return Math.min(width, height) < PHOTO_MIN_SIDE_PX ? PHOTO_TEXTS.tooSmall : null;
}

/** Warnings about a photo that is accepted. */
export function listPhotoWarnings({ width, height }: PhotoSize): string[] {
  if (Math.min(width, height) < PHOTO_SOFT_MIN_SIDE_PX) {
    return [nb(`Фото меньше ${PHOTO_SOFT_MIN_SIDE_PX} px: результат получится нечётким`)];
  }
  if (width < MARKETPLACE_MIN_PX.width || height < MARKETPLACE_MIN_PX.height) {
    const { width: minWidth, height: minHeight } = MARKETPLACE_MIN_PX;
    return [nb(`Для карточки маркетплейса лучше фото от ${minWidth}×${minHeight} px`)];
  }
  return [];
}

/** The size in pixels after the EXIF rotation; null when the browser cannot read the picture. */
export async function measurePhoto(file: Blob): Promise<PhotoSize | null> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const size = { width: bitmap.width, height: bitmap.height };
    bitmap.close();
    return size;
  } catch {
    return null;
  }
}

/** The invitation in the empty upload zone. Touch devices have a camera and no drag and drop. */
export function inviteToChoose(hasTouch: boolean): string {
  return hasTouch ? 'Выберите или снимите фото' : 'Перетащите фото или выберите файл';
}
