import { isSkinColour } from '#api/imaging/find-skin.ts';
import { decodeWindow } from '#api/imaging/picture-file.ts';
import {
  boxBlur,
  decodePhoto,
  type FrameSize,
  type RgbImage,
  resizeRgb,
  sampleBilinear,
} from '#api/imaging/pixel-image.ts';
import { type Affine, type Alignment, alignByFeatures, applyAffine, type Warped, warpToSource } from './align.ts';
import { alignOutlines, measureAgreement } from './align-outlines.ts';
import { labImage } from './colour.ts';
import { type ColourComparison, compareColours, findPalette, type Palette, pairAligned } from './compare-colours.ts';
import { comparePrints, type Print, readPrint, trackPrint } from './compare-prints.ts';
import { detectFeatures, type Features } from './features.ts';
import { findGarment, type Garment } from './find-garment.ts';
import type { CropBox, GarmentCheck, GarmentCheckThresholds, NotComparableReason } from './garment-checker.ts';

/** Longest sides: of the picture in which clothes are found, of the source's garment, of the result. */
const LOOKING_SIDE = 360;
const FRAME_SIDE = 512;
const RESULT_SIDE = 800;
/** Width of the rim of a garment that is not compared, in pixels of the frame. It mixes cloth with ground. */
const RIM = 10;

/** The garment of the photo, cut out and prepared for several comparisons. */
export interface SourceGarment {
  /** Where the frame lies in the photo. */
  box: CropBox;
  frame: FrameSize;
  mask: Uint8Array;
  /** Whether the product itself has colours of skin. Then skin is not told from cloth. */
  hasSkinColours: boolean;
  /** 1 where the garment has a colour of skin. */
  isSkinColoured: Uint8Array;
  /** 1 within the garment, away from its rim. */
  inside: Uint8Array;
  lab: Float32Array;
  palette: Palette;
  print: Print;
  features: Features;
  mirrored: Features;
}

/** Finds the garment of a photo. Null when there is none to be found. */
export async function readSource(file: Buffer): Promise<SourceGarment | null> {
  const small = await decodePhoto(file, LOOKING_SIDE);
  const garment = await findGarment(small);
  if (!garment) return null;
  const { box } = garment;
  const [across, down] = [(box.right - box.left) * small.width, (box.bottom - box.top) * small.height];
  const scale = FRAME_SIDE / Math.max(across, down);
  const frame = { width: Math.round(across * scale), height: Math.round(down * scale) };
  const picture = await decodeWindow(file, box, frame);
  const mask = enlargeMask(garment, small, frame);
  const depth = boxBlur({ ...frame, data: mask }, RIM).data;
  const inside = Uint8Array.from(depth, (share) => (share > 250 ? 1 : 0));
  const lab = labImage(picture);
  const isSkinColoured = markSkinColours(picture);
  return {
    box,
    frame,
    mask,
    inside,
    hasSkinColours: shareOf(isSkinColoured, inside) > SKIN_COLOURED,
    isSkinColoured,
    lab,
    palette: findPalette(lab, inside),
    print: readPrint(lab, inside, frame),
    features: await detectFeatures(picture, mask),
    mirrored: await detectFeatures(picture, mask, true),
  };
}

/** Share of the garment from which colours of skin belong to the product. */
const SKIN_COLOURED = 0.3;

function markSkinColours({ width, height, data }: RgbImage): Uint8Array {
  const isSkinAt = (at: number) => isSkinColour(data[at]!, data[at + 1]!, data[at + 2]!);
  return Uint8Array.from({ length: width * height }, (_, pixel) => (isSkinAt(pixel * 3) ? 1 : 0));
}

function shareOf(isMarked: Uint8Array, inside: Uint8Array): number {
  let [marked, all] = [0, 0];
  for (let pixel = 0; pixel < inside.length; pixel++) {
    all += inside[pixel]!;
    marked += inside[pixel]! & isMarked[pixel]!;
  }
  return marked / Math.max(1, all);
}

/** The mask within the garment's box at the size of the frame. */
function enlargeMask({ mask, box }: Garment, { width, height }: FrameSize, frame: FrameSize): Uint8Array {
  const plane = { width, height, data: mask };
  const [left, top] = [box.left * width, box.top * height];
  const scale = ((box.right - box.left) * width) / frame.width;
  return Uint8Array.from({ length: frame.width * frame.height }, (_, pixel) => {
    const [x, y] = [pixel % frame.width, Math.floor(pixel / frame.width)];
    return sampleBilinear(plane, left + (x + 0.5) * scale - 0.5, top + (y + 0.5) * scale - 0.5) > 200 ? 255 : 0;
  });
}

function shrink(picture: RgbImage): Promise<RgbImage> {
  const scale = LOOKING_SIDE / Math.max(picture.width, picture.height);
  return resizeRgb(picture, Math.round(picture.width * scale), Math.round(picture.height * scale));
}

export interface Measures {
  /** How the garments were laid over each other. */
  alignedBy: 'features' | 'mirrored_features' | 'outlines' | null;
  hasGarment: boolean;
  featureMatches: number;
  colours: ColourComparison | null;
  /** Null when the print was not compared. */
  similarity: number | null;
  shownShare: number;
  /** How far the print moved on the garment, as a share of its longer side. */
  printShift: number;
  crops: GarmentCheck['crops'];
}

/** Mirrored features outnumber plain ones by this much where a print is mirrored. */
const MIRRORED = 1.5;
/** Outlines that agree less show another pose or a wrong mask. */
const OUTLINE_AGREEMENT = 0.8;
/** The outlines agree better by this much without the print than with it, where a print has moved. */
const BETTER_OUTLINE = 0.05;

/** Measures how a result differs from the source. */
export async function measureResult(source: SourceGarment, file: Buffer): Promise<Measures> {
  const picture = await decodePhoto(file, RESULT_SIDE);
  const features = await detectFeatures(picture);
  const side = Math.max(source.frame.width, source.frame.height);
  const plain = await alignByFeatures(source.features, features, side);
  const mirrored = await alignByFeatures(source.mirrored, features, side);
  const small = await shrink(picture);
  const garment = await findGarment(small, source.hasSkinColours);
  const placed = garment && { garment, mask: small, picture };
  const outline = placed && alignOutlines(source.mask, source.frame, placed);
  const nothing: Measures = {
    alignedBy: null,
    hasGarment: garment !== null,
    featureMatches: plain?.featureMatches ?? 0,
    colours: null,
    similarity: null,
    shownShare: 0,
    printShift: 0,
    crops: null,
  };
  if (mirrored && mirrored.featureMatches > (plain?.featureMatches ?? 0) * MIRRORED) {
    const { featureMatches } = mirrored;
    const crops = cropMirrored(source, mirrored, picture);
    return { ...nothing, alignedBy: 'mirrored_features', featureMatches, similarity: 0, crops };
  }
  if (plain) {
    const agreement = placed ? measureAgreement(source.mask, source.frame, placed)(plain.affine) : 1;
    const isPlaced = outline && outline.agreement > Math.max(OUTLINE_AGREEMENT, agreement + BETTER_OUTLINE);
    const printShift = isPlaced ? measureShift(plain, outline.affine) / side : 0;
    return { ...nothing, alignedBy: 'features', printShift, ...compareAligned(source, plain, picture) };
  }
  if (outline && outline.agreement > OUTLINE_AGREEMENT) {
    const alignment: Alignment = { affine: outline.affine, pairs: [], featureMatches: 0 };
    return { ...nothing, alignedBy: 'outlines', ...compareAligned(source, alignment, picture) };
  }
  return nothing;
}

/** How far apart two alignments place the features of the first, in pixels of the source. */
function measureShift({ pairs }: Alignment, outline: Affine): number {
  const [x, y, u, v] = [0, 1, 2, 3].map((at) => pairs.reduce((sum, pair) => sum + pair[at]!, 0) / pairs.length);
  const [a, b, c, d, e, f] = outline;
  const [du, dv, determinant] = [u! - c, v! - f, a * e - b * d];
  return Math.hypot((e * du - b * dv) / determinant - x!, (a * dv - d * du) / determinant - y!);
}

/** Compares print and colours where an alignment, refined by tracking the print, lays the garments over each other. */
function compareAligned(
  source: SourceGarment,
  alignment: Alignment,
  picture: RgbImage,
): Pick<Measures, 'colours' | 'similarity' | 'shownShare' | 'crops'> {
  const result = { width: picture.width, height: picture.height, lab: labImage(picture) };
  const first = warpToSource(alignment, source.frame, result);
  const tracked = trackPrint(source.print, first).map(
    ({ x, y, toX, toY }) => [x, y, ...first.place(toX, toY)] as const,
  );
  const warped = warpToSource({ ...alignment, pairs: [...alignment.pairs, ...tracked] }, source.frame, result);
  if (!source.hasSkinColours) hideSkin(warped, source, picture);
  const print = comparePrints(source.print, warped);
  const isCompared = source.inside.map((isInside, pixel) => isInside & warped.isShown[pixel]!);
  return {
    colours: compareColours(pairAligned(source.palette, source.lab, warped.lab, isCompared, source.frame.width)),
    similarity: print.similarity,
    shownShare: print.shownShare,
    crops: cropAround(source, print.worstPlace, warped.place, picture),
  };
}

/** Hands and arms before the garment cover less of it. More is cloth that has got a colour of skin. */
const MOST_HIDDEN = 0.35;

/** Takes hands and arms before the garment out of the comparison. */
function hideSkin(warped: Warped, { inside, frame, isSkinColoured }: SourceGarment, picture: RgbImage): void {
  const isSkin = markSkinColours(picture);
  const hidden: number[] = [];
  let all = 0;
  for (let pixel = 0; pixel < inside.length; pixel++) {
    if (!inside[pixel] || !warped.isShown[pixel]) continue;
    all++;
    if (isSkinColoured[pixel]) continue;
    const [u, v] = warped.place(pixel % frame.width, Math.floor(pixel / frame.width));
    if (isSkin[Math.floor(v) * picture.width + Math.floor(u)]) hidden.push(pixel);
  }
  if (hidden.length < all * MOST_HIDDEN) for (const pixel of hidden) warped.isShown[pixel] = 0;
}

/** Side of the part that is shown of a drifted print, as a share of the garment's longer side. */
const CROP = 0.4;

/** The part around a place of the frame, in both pictures. */
function cropAround(
  { box, frame }: SourceGarment,
  { x, y }: { x: number; y: number },
  place: Warped['place'],
  picture: FrameSize,
): { source: CropBox; result: CropBox } {
  const half = (Math.max(frame.width, frame.height) * CROP) / 2;
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const part = {
    left: within(x - half, frame.width - 1),
    right: within(x + half, frame.width - 1),
    top: within(y - half, frame.height - 1),
    bottom: within(y + half, frame.height - 1),
  };
  const corners = [part.left, part.right].flatMap((u) => [part.top, part.bottom].map((v) => place(u, v)));
  const across = corners.map(([u]) => within(u / picture.width, 1));
  const down = corners.map(([, v]) => within(v / picture.height, 1));
  const [scaleX, scaleY] = [(box.right - box.left) / frame.width, (box.bottom - box.top) / frame.height];
  return {
    source: {
      left: box.left + part.left * scaleX,
      right: box.left + part.right * scaleX,
      top: box.top + part.top * scaleY,
      bottom: box.top + part.bottom * scaleY,
    },
    result: {
      left: Math.min(...across),
      right: Math.max(...across),
      top: Math.min(...down),
      bottom: Math.max(...down),
    },
  };
}

/** The print in the source, and where its mirror image lies in the result. */
function cropMirrored(source: SourceGarment, { affine, pairs }: Alignment, picture: FrameSize) {
  const { width } = source.frame;
  const [x, y] = [0, 1].map((at) => pairs.reduce((sum, pair) => sum + pair[at]!, 0) / pairs.length);
  const place = (u: number, v: number) => applyAffine(affine, width - 1 - u, v);
  return cropAround(source, { x: width - 1 - x!, y: y! }, place, picture);
}

/** A colour of the garment may differ this much more than the mean of all. */
const ONE_COLOUR = 1.6;
/** A print that lies further away on the garment has moved. Poses move it less. */
const MOST_SHIFT = 0.12;
/** With less of the print in the result, nothing is said about it. */
const LEAST_SHOWN = 0.5;

export function judge(measures: Measures, thresholds: GarmentCheckThresholds, resultIndex: number): GarmentCheck {
  const { alignedBy, colours, similarity, shownShare, printShift, crops, featureMatches } = measures;
  const drifts: GarmentCheck['drifts'] = [];
  const limit = thresholds.colourDifference;
  if (colours && (colours.mean > limit || colours.largest > limit * ONE_COLOUR)) drifts.push('colour');
  const isPrintShown = alignedBy === 'mirrored_features' || shownShare >= LEAST_SHOWN;
  const isPrintLost = similarity !== null && similarity < thresholds.printSimilarity;
  if (isPrintShown && (isPrintLost || printShift > MOST_SHIFT)) drifts.push('print');
  const found = {
    drifts,
    colourDifference: colours?.mean ?? null,
    printSimilarity: similarity,
    featureMatches,
    resultIndex,
  };
  if (drifts.length > 0) return { ...found, verdict: 'drifted', reason: null, crops };
  const reason = findReason();
  if (reason) return { ...found, verdict: 'not_comparable', reason, crops: null };
  return { ...found, verdict: 'kept', reason: null, crops };

  function findReason(): NotComparableReason | null {
    if (alignedBy === null) return measures.hasGarment ? 'not_aligned' : 'result_garment_not_found';
    return isPrintShown && colours ? null : 'too_little_shown';
  }
}

/** What is said when the photo itself shows no garment. */
export const NO_GARMENT: GarmentCheck = {
  verdict: 'not_comparable',
  reason: 'source_garment_not_found',
  drifts: [],
  colourDifference: null,
  printSimilarity: null,
  featureMatches: 0,
  crops: null,
  resultIndex: 0,
};

const SEVERITY = { drifted: 2, kept: 1, not_comparable: 0 };

/** Compares the garment of a photo with several results. The worst that can be compared counts. */
export async function checkGarment(
  source: Buffer,
  results: Buffer[],
  thresholds: GarmentCheckThresholds,
): Promise<GarmentCheck> {
  const garment = await readSource(source);
  if (!garment) return NO_GARMENT;
  let worst = NO_GARMENT;
  for (const [index, result] of results.entries()) {
    const check = judge(await measureResult(garment, result), thresholds, index);
    if (index === 0 || SEVERITY[check.verdict] > SEVERITY[worst.verdict]) worst = check;
  }
  return worst;
}
