/** Prices in stars, as the specification defines them. Shared, so that the page shows what the API charges. */
export const VIDEO_SECONDS = [5, 10] as const;
export type VideoSeconds = (typeof VIDEO_SECONDS)[number];
export const DEFAULT_VIDEO_SECONDS: VideoSeconds = 5;

export const SIGNUP_BONUS_STARS = 2;
export const INTERVIEW_BONUS_STARS = 10;
export const VIDEO_PRICES: Readonly<Record<VideoSeconds, number>> = { 5: 1, 10: 2 };

export function videoPrice(seconds: VideoSeconds): number {
  return VIDEO_PRICES[seconds];
}

export const MODEL_CHANGE_PRICE = 1;
export const PHOTOSESSION_PRICE = 2;
export const PHOTOSESSION_FRAMES = 5;

export const TRY_ON_PRICE = 1;

/** Stars that are returned when fewer than five frames were made: one below three frames, both without any. */
export function photosessionRefund(frames: number): number {
  if (frames === 0) return PHOTOSESSION_PRICE;
  return frames < 3 ? 1 : 0;
}
