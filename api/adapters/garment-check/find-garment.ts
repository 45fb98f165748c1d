import type * as OpenCv from '@techstark/opencv-js';
import { fitBackground } from '#api/imaging/background-model.ts';
import { isPlainGround } from '#api/imaging/cutout-gate.ts';
import { type Deviation, measureDeviation } from '#api/imaging/deviation.ts';
import { findSkin } from '#api/imaging/find-skin.ts';
import { floodGround } from '#api/imaging/flood-ground.ts';
import { grabCut } from '#api/imaging/grabcut.ts';
import { loadOpenCv } from '#api/imaging/open-cv.ts';
import { boxBlur, type RgbImage } from '#api/imaging/pixel-image.ts';
import { boundsOf, forEachRegion, keepLargePieces } from '#api/imaging/regions.ts';
import type { CropBox } from './garment-checker.ts';

export interface Garment {
  /** One byte per pixel of the examined picture, 255 for cloth. */
  mask: Uint8Array;
  /** Bounds of the mask in shares of the picture. */
  box: CropBox;
}

/** Shares of the picture that a garment covers. */
const AREA = { least: 0.02, most: 0.85 };
/** With more skin, the product itself has colours of skin. */
const MOST_SKIN = 0.6;
/** A face begins in this upper part of the subject. */
const FACE_ZONE = 0.22;
/** Width of head and hair over the width of the face. */
const HEAD_WIDTH = 2.2;
/** Smaller ones are locks of hair and rims of skin. */
const PIECE_SHARE = 1 / 20;

/**
 * Finds what is worn or lies in a picture of about 360 pixels: the subject without skin, head and hair. On a plain
 * ground by the cut-out of the local engine, on any other by GrabCut that takes the middle for the subject. Null when
 * nothing plausible is found. `hasSkinColours`: the product itself has colours of skin, so they stay.
 */
export async function findGarment(picture: RgbImage, hasSkinColours = false): Promise<Garment | null> {
  const { width, height } = picture;
  const background = fitBackground(picture);
  const deviation = measureDeviation(picture, background);
  if (!isPlainGround(background)) return garmentOf(await growMask(picture), picture, hasSkinColours);
  const subject = grabCut(picture, deviation, floodGround(width, height, deviation));
  openNarrowGaps(subject, width, height, deviation);
  return garmentOf(subject, picture, hasSkinColours);
}

/** Width of a gap between a sleeve and the waist that the cut-out closes, in pixels. */
const GAP = 6;

/** Removes what looks like ground close to the outline. */
function openNarrowGaps(subject: Uint8Array, width: number, height: number, { isGroundLike }: Deviation): void {
  const depth = boxBlur({ width, height, data: subject }, GAP).data;
  for (let pixel = 0; pixel < subject.length; pixel++)
    if (isGroundLike[pixel] && depth[pixel]! < 254) subject[pixel] = 0;
}

/** Seeds of GrabCut, with the values of OpenCV. */
const SEED = { ground: 0, perhapsGround: 2, perhapsSubject: 3 } as const;

/** The border is ground, but for its lower side where figures are cut off. An upright oval is perhaps the subject. */
function labelMiddle(width: number, height: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, pixel) => {
    const x = (pixel % width) / width - 0.5;
    const y = Math.floor(pixel / width) / height;
    if (Math.abs(x) > 0.46 || y < 0.03) return SEED.ground;
    return (x / 0.34) ** 2 + ((y - 0.55) / 0.46) ** 2 < 1 ? SEED.perhapsSubject : SEED.perhapsGround;
  });
}

/** Separates the subject in the middle from any ground with GrabCut. One byte per pixel, 255 for subject. */
async function growMask({ width, height, data }: RgbImage): Promise<Uint8Array> {
  const { cv } = await loadOpenCv();
  const image = cv.matFromArray(height, width, cv.CV_8UC3, data as unknown as number[]);
  const seeds = labelMiddle(width, height);
  const labels = cv.matFromArray(height, width, cv.CV_8UC1, seeds as unknown as number[]);
  const models: OpenCv.Mat[] = [new cv.Mat(), new cv.Mat()];
  try {
    cv.grabCut(image, labels, new cv.Rect(0, 0, 1, 1), models[0]!, models[1]!, 3, cv.GC_INIT_WITH_MASK);
    return Uint8Array.from(labels.data, (label) => (label & 1 ? 255 : 0));
  } finally {
    for (const mat of [image, labels, ...models]) mat.delete();
  }
}

/** Removes skin, head and crumbs from a subject. */
function garmentOf(subject: Uint8Array, picture: RgbImage, hasSkinColours: boolean): Garment | null {
  const { width, height } = picture;
  const mask = Uint8Array.from(subject);
  const { isSkin, share } = findSkin(subject, picture);
  if (!hasSkinColours && share < MOST_SKIN) {
    removeHead(mask, isSkin, width, height);
    for (let pixel = 0; pixel < mask.length; pixel++) if (isSkin[pixel]) mask[pixel] = 0;
  }
  keepLargePieces(mask, width, height, PIECE_SHARE);
  return describeGarment(mask, width, height);
}

/** Removes everything beside and above the topmost large piece of skin, which is the face. */
function removeHead(mask: Uint8Array, isSkin: Uint8Array, width: number, height: number): void {
  const first = mask.findIndex((value) => value !== 0);
  const last = mask.findLastIndex((value) => value !== 0);
  if (first < 0) return;
  const top = Math.floor(first / width);
  const tall = Math.floor(last / width) - top;
  let face: { left: number; right: number; bottom: number; top: number } | undefined;
  forEachRegion(
    width,
    height,
    (pixel) => isSkin[pixel] !== 0,
    (region) => {
      const columns = region.map((pixel) => pixel % width);
      const rows = region.map((pixel) => Math.floor(pixel / width));
      const piece = {
        left: columns.reduce((a, b) => Math.min(a, b)),
        right: columns.reduce((a, b) => Math.max(a, b)),
        top: rows.reduce((a, b) => Math.min(a, b)),
        bottom: rows.reduce((a, b) => Math.max(a, b)),
      };
      if (region.length < tall * tall * 0.004 || piece.top > top + tall * FACE_ZONE) return;
      if (!face || piece.top < face.top) face = piece;
    },
  );
  if (!face) return;
  // A face that is joined to bare arms is as wide as they are. A head is seldom wider than a sixth of a figure's
  // height.
  const faceWidth = Math.min(face.right - face.left, tall / 6);
  const chin = Math.min(face.bottom, face.top + 1.9 * faceWidth);
  const centre = centreOfRows(isSkin, width, face.top, face.top + faceWidth);
  for (let y = top; y <= chin; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.abs(x - centre) < (faceWidth * HEAD_WIDTH) / 2) mask[y * width + x] = 0;
    }
  }
}

function centreOfRows(isInside: Uint8Array, width: number, from: number, to: number): number {
  let [sum, count] = [0, 0];
  for (let pixel = from * width; pixel < Math.min(isInside.length, Math.round(to) * width); pixel++) {
    if (!isInside[pixel]) continue;
    sum += pixel % width;
    count++;
  }
  return sum / Math.max(1, count);
}

function describeGarment(mask: Uint8Array, width: number, height: number): Garment | null {
  const share = mask.reduce((area, value) => (value ? area + 1 : area), 0) / (width * height);
  const bounds = boundsOf(width, height, (pixel) => mask[pixel] !== 0);
  if (!bounds || share < AREA.least || share > AREA.most) return null;
  const { left, top, right, bottom } = bounds;
  return { mask, box: { left: left / width, top: top / height, right: right / width, bottom: bottom / height } };
}
