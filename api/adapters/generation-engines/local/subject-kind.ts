import { fitBackground } from '#api/imaging/background-model.ts';
import { isPlainGround } from '#api/imaging/cutout-gate.ts';
import { measureDeviation } from '#api/imaging/deviation.ts';
import { findSkin } from '#api/imaging/find-skin.ts';
import { floodGround } from '#api/imaging/flood-ground.ts';
import { decodePhoto } from '#api/imaging/pixel-image.ts';
import { boundsOf, forEachRegion } from '#api/imaging/regions.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';

/**
 * Longest side of the examined picture. Shape and colours are visible at this size, too, and it takes a tenth of a
 * second.
 */
const LOOKING_SIDE = 360;
/** Smaller pieces are crumbs and dust, as a share of the picture. */
const LEAST_PIECE = 0.002;
/** Share of skin in a photo of a person. With more, the product itself has skin colours. */
const SKIN = { least: 0.025, most: 0.6 };
/** Largest height over width of a shoe or a bag. */
const LOW = 0.8;

/**
 * Guesses what a product photo with a plain ground shows. `unknown` when the ground is not plain. Blocks for a tenth of
 * a second: do not call it in the server.
 */
export async function findSubjectKind(photoFile: Buffer): Promise<SubjectKind> {
  const photo = await decodePhoto(photoFile, LOOKING_SIDE);
  const { width, height } = photo;
  const background = fitBackground(photo);
  if (!isPlainGround(background)) return 'unknown';
  const deviation = measureDeviation(photo, background);
  const flooded = floodGround(width, height, deviation);
  const mask = new Uint8Array(width * height);
  const standsOut = (pixel: number) => !flooded[pixel] && deviation.distance[pixel]! > deviation.threshold;
  forEachRegion(width, height, standsOut, (region) => {
    if (region.length >= width * height * LEAST_PIECE) for (const pixel of region) mask[pixel] = 255;
  });
  const bounds = boundsOf(width, height, (pixel) => mask[pixel] !== 0);
  if (!bounds) return 'unknown';
  const { share } = findSkin(mask, photo);
  if (share > SKIN.least && share < SKIN.most) return 'person';
  return (bounds.bottom - bounds.top) / (bounds.right - bounds.left) < LOW ? 'shoe' : 'garment';
}
