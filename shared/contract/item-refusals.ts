import type { ErrorCode } from './errors.ts';

/** Refusals of an image or a video by its id in the gallery. */
export const ITEM_REFUSALS = [
  'image_not_found',
  'image_forbidden',
  'video_not_found',
  'video_forbidden',
] as const satisfies ErrorCode[];
