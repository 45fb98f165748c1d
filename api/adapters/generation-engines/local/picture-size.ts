import { MAX_ENLARGEMENT, WANTED_WIDTH } from '#shared/rules/close-ups.ts';
import type { FrameSize } from './scene.ts';

/** Beyond this nothing is gained on a product page. */
const LARGEST_WIDTH = 1620;

/**
 * Size of a 3:4 picture whose width shows `sourceWidth` pixels of the photo: those pixels as they are, enlarged to
 * reach `WANTED_WIDTH` as far as they bear it. `leastWidth` is kept whatever the photo gives.
 */
export function choosePictureSize(sourceWidth: number, leastWidth: number): FrameSize {
  const honest = Math.max(sourceWidth, Math.min(WANTED_WIDTH, sourceWidth * MAX_ENLARGEMENT));
  const third = Math.floor(Math.min(LARGEST_WIDTH, Math.max(leastWidth, honest)) / 3);
  return { width: third * 3, height: third * 4 };
}
