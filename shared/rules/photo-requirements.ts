import { PHOTO_MEDIA_TYPES } from './photo-format.ts';

/** Requirements for a product photo, the same for every tool and the bot. */
export const PHOTO_MAX_BYTES = 10 * 1024 * 1024;
export const PHOTO_MIN_SIDE_PX = 300;
/** Below this the page warns that the video will be soft. */
export const PHOTO_SOFT_MIN_SIDE_PX = 512;
/** Marketplaces refuse pictures smaller than this. */
export const MARKETPLACE_MIN_PX = { width: 900, height: 1200 } as const;
/** Decoding more pixels would need too much memory. */
export const PHOTO_MAX_PIXELS = 60_000_000;
/** For pickers and the like, which know files only by their types. What is taken is decided by the bytes. */
export const PHOTO_ACCEPTED_TYPES: readonly string[] = [...Object.values(PHOTO_MEDIA_TYPES), 'image/heif'];
export const PHOTO_HINT = 'JPG, PNG, WebP до 10 МБ, от 300 px';
