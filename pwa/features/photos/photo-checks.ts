import { nb } from '#pwa/format.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { isPhotoFormat, PHOTO_HEAD_BYTES, sniffPhotoFormat } from '#shared/rules/photo-format.ts';
import {
  MARKETPLACE_MIN_PX,
  PHOTO_MAX_BYTES,
  PHOTO_MIN_SIDE_PX,
  PHOTO_SOFT_MIN_SIDE_PX,
} from '#shared/rules/photo-requirements.ts';

export interface PhotoSize {
  width: number;
  height: number;
}

/** Errors of a file. What the page finds before anything is sent has the server's wording. */
export const PHOTO_TEXTS = {
  notImage: ERRORS.photo_missing.message,
  unsupportedImage: ERRORS.photo_not_image.message,
  tooLarge: ERRORS.photo_too_large.message,
  tooSmall: ERRORS.photo_too_small.message,
  refusedFormat: ERRORS.photo_format_refused.message,
  unreadable: ERRORS.photo_unreadable.message,
  notSent: 'Не удалось загрузить изображение',
  notShrunk: 'Браузер не смог уменьшить это фото. Сохраните его в JPG до 10 МБ и загрузите ещё раз',
  link: 'Это ссылка, а не файл. Сохраните картинку на устройство и загрузите её файлом',
} as const;

/** Why a file cannot be used, by its first bytes and its size; null when it can. Rejects when it cannot be read. */
export async function findFileFault(file: File): Promise<string | null> {
  const code = await findFileFaultCode(file);
  if (code === 'photo_not_image' && !file.type.startsWith('image/')) return PHOTO_TEXTS.notImage;
  return code && ERRORS[code].message;
}

type FileFault = 'photo_unreadable' | 'photo_not_image' | 'photo_format_refused' | 'photo_too_large';

/** The same as the code of the server's refusal. */
export async function findFileFaultCode(file: File): Promise<FileFault | null> {
  if (file.size === 0) return 'photo_unreadable';
  const format = sniffPhotoFormat(new Uint8Array(await file.slice(0, PHOTO_HEAD_BYTES).arrayBuffer()));
  if (format === null) return 'photo_not_image';
  if (!isPhotoFormat(format)) return 'photo_format_refused';
  return file.size > PHOTO_MAX_BYTES ? 'photo_too_large' : null;
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
