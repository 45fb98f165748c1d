import type { FrameSize } from './scene.ts';

/** Beyond this nothing is gained on a product page. */
const LARGEST_WIDTH = 1620;
/** More than this would pretend detail that the photo does not have. */
const MAX_ENLARGEMENT = 1.5;

/**
 * Size of a 3:4 picture whose width shows `sourceWidth` pixels of the photo: those pixels as they are, enlarged by
 * half at the most to reach `wantedWidth`. `leastWidth` is kept whatever the photo gives.
 */
export function choosePictureSize(sourceWidth: number, wantedWidth: number, leastWidth = 300): FrameSize {
  const honest = Math.max(sourceWidth, Math.min(wantedWidth, sourceWidth * MAX_ENLARGEMENT));
  const third = Math.round(Math.min(LARGEST_WIDTH, Math.max(leastWidth, honest)) / 3);
  return { width: third * 3, height: third * 4 };
}
