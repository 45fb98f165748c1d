/** Prices in stars, as the specification fixes them. Shared, so that the page shows what the API charges. */
export const VIDEO_SECONDS = [5, 10] as const;
export type VideoSeconds = (typeof VIDEO_SECONDS)[number];
export const DEFAULT_VIDEO_SECONDS: VideoSeconds = 5;

export const SIGNUP_BONUS_STARS = 2;
const VIDEO_PRICES: Record<VideoSeconds, number> = { 5: 1, 10: 2 };

/** Stars that a video of this length costs. */
export function videoPrice(seconds: VideoSeconds): number {
  return VIDEO_PRICES[seconds];
}
