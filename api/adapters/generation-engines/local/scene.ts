import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { isOutlineFaint, measureFaintShare } from './cutout-gate.ts';
import { extendGround } from './extend-ground.ts';
import { matteSubject } from './matting.ts';
import { decodePhoto, type RgbImage, resizeRgb } from './pixel-image.ts';
import { type Placement, placePhoto } from './placement.ts';
import { flatRelief, inflateRelief, type Relief } from './relief.ts';
import { type Box, type Segmentation, segmentSubject } from './segment-subject.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { type CutSides, findCutSides } from './sprite.ts';

export interface FrameSize {
  width: number;
  height: number;
}

/** Everything the frames of one video are made of; prepared once. */
export interface Scene {
  frame: FrameSize;
  /** The subject apart from its ground, or the whole picture as one opaque board. */
  subject: PackedLayer;
  isCutOut: boolean;
  /** Ground without the subject. */
  ground: PackedLayer;
  /** Pixels by which the rearmost layer reaches beyond the frame on all sides: the ground, or the board. */
  margin: number;
  relief: Relief;
  /** Bounds of the subject in frame pixels. */
  box: { left: number; top: number; right: number; bottom: number };
  /** Sides on which the photo's border cuts the subject off. */
  cut: CutSides;
  shadow: 'wall' | 'floor';
  /** How much brighter the subject can be lit before its highlights burn out; 1 for white. */
  headroom: number;
  verdict: Segmentation['verdict'] | { isTrusted: false; reason: 'outline_faint'; faintShare: number };
}

/** Longest side that photos are worked on at, over the frame's longest: more would not be seen, and costs memory. */
const WORKING_SCALE = 1.1;
/** Height over width from which a subject is a figure on its feet: no garment alone is so slim. */
const STANDING_RATIO = 2.5;
/** How far the ground reaches beyond the frame, as a share of the frame's width. */
const MARGIN_SHARE = 0.08;
/** The same for a board before a plain ground, as a share of the frame's height: what a step back shows. */
const BOARD_MARGIN_SHARE = 0.12;

/** Turns an uploaded photo into layers of a frame's size. CPU-bound for a second or two: for worker threads. */
export async function prepareScene(photoFile: Buffer, frame: FrameSize, category: ProductCategory): Promise<Scene> {
  const photo = await decodePhoto(photoFile, Math.round(Math.max(frame.width, frame.height) * WORKING_SCALE));
  const segmentation = await segmentSubject(photo);
  const { verdict, subjectBox } = segmentation;
  const placement = placePhoto(photo, frame, segmentation);
  const placed = await resizeRgb(photo, placement.width, placement.height);
  const box = {
    left: placement.left + subjectBox.left * placement.width,
    top: placement.top + subjectBox.top * placement.height,
    right: placement.left + subjectBox.right * placement.width,
    bottom: placement.top + subjectBox.bottom * placement.height,
  };
  const layers = { placed, placement, frame, segmentation, box };
  if (!verdict.isTrusted) return layAsBoard(layers, verdict, findTouchedSides(subjectBox));
  const matte = await matteSubject(placed, {
    width: segmentation.width,
    height: segmentation.height,
    data: segmentation.mask,
  });
  const faintShare = measureFaintShare(placed, matte);
  const cut = findCutSides(matte);
  if (isOutlineFaint(faintShare))
    return layAsBoard(layers, { isTrusted: false, reason: 'outline_faint', faintShare }, cut);
  const margin = Math.round(frame.width * MARGIN_SHARE);
  const ground = await extendGround(
    { width: placed.width, height: placed.height, data: matte.ground },
    placement,
    frame,
    margin,
    segmentation,
  );
  const alpha = new Uint8Array(frame.width * frame.height);
  const colours = new Uint8Array(frame.width * frame.height * 3);
  for (let y = Math.max(0, -placement.top); y < Math.min(placed.height, frame.height - placement.top); y++) {
    const from = Math.max(0, -placement.left);
    const to = Math.min(placed.width, frame.width - placement.left);
    const source = y * placed.width + from;
    const target = (y + placement.top) * frame.width + from + placement.left;
    alpha.set(matte.alpha.subarray(source, source + to - from), target);
    colours.set(matte.foreground.subarray(source * 3, (source + to - from) * 3), target * 3);
  }
  freeSides(alpha, frame);
  const isTall = box.bottom - box.top > STANDING_RATIO * (box.right - box.left);
  const standsOnFloor = !cut.bottom && (category === 'обувь' || isTall || showsShadowBelow({ photo, segmentation }));
  const subject = packLayer({ ...frame, data: colours }, alpha);
  return {
    frame,
    subject,
    isCutOut: true,
    ground: packLayer(ground),
    margin,
    relief: await inflateRelief({ ...frame, data: alpha }),
    box,
    cut,
    shadow: standsOnFloor ? 'floor' : 'wall',
    headroom: measureHeadroom(subject),
    verdict,
  };
}

interface PlacedPhoto {
  placed: RgbImage;
  placement: Placement;
  frame: FrameSize;
  segmentation: Segmentation;
  box: Scene['box'];
}

/** The whole picture as one layer that moves with its ground. */
async function layAsBoard(
  { placed, placement, frame, segmentation, box }: PlacedPhoto,
  verdict: Scene['verdict'],
  cut: CutSides,
): Promise<Scene> {
  const { isPlainGround } = segmentation;
  const margin = isPlainGround ? Math.round(frame.height * BOARD_MARGIN_SHARE) : 0;
  const board = await extendGround(placed, placement, frame, margin, isPlainGround ? segmentation : null);
  const opaque = new Uint8Array(board.width * board.height).fill(255);
  return {
    frame,
    subject: packLayer(board, opaque),
    isCutOut: false,
    ground: packLayer({ width: 2, height: 2, data: new Uint8Array(12) }),
    margin,
    relief: flatRelief(frame),
    box,
    cut,
    shadow: 'wall',
    headroom: 1,
    verdict,
  };
}

/** How near to a side of the photo, as a share of it, a subject is taken to go on beyond it. */
const TOUCH = 0.004;

function findTouchedSides({ left, top, right, bottom }: Box): CutSides {
  return { left: left < TOUCH, top: top < TOUCH, right: right > 1 - TOUCH, bottom: bottom > 1 - TOUCH };
}

/** Luma of white over that of black, as layers keep it. */
const WHITE = 219;
/** Share of the subject that counts as its highlights. */
const HIGHLIGHTS = 0.02;

function measureHeadroom({ data }: PackedLayer): number {
  const counts = new Uint32Array(256);
  let total = 0;
  for (let at = 0; at < data.length; at += 16) {
    if (data[at + 3] !== 255) continue;
    counts[data[at]!]!++;
    total++;
  }
  let brightest = WHITE;
  for (let above = 0; brightest > 1; brightest--) {
    above += counts[brightest]!;
    if (above > total * HIGHLIGHTS) break;
  }
  return WHITE / brightest;
}

/** Contact with a side shorter than this share of the frame's height is a sleeve that grazes the border. */
const GRAZE_SHARE = 0.2;

/**
 * The kernel continues what touches the layer's border beyond it, which is right for a figure cut at the hips and
 * smears a sleeve that only grazes the left or right side: there the outermost columns are let go.
 */
function freeSides(alpha: Uint8Array, { width, height }: FrameSize): void {
  for (const [outer, next] of [
    [0, 1],
    [width - 1, width - 2],
  ] as const) {
    let contact = 0;
    for (let y = 0; y < height; y++) if (alpha[y * width + outer]! > 0) contact++;
    if (contact > height * GRAZE_SHARE) continue;
    for (let y = 0; y < height; y++) {
      alpha[y * width + outer] = 0;
      alpha[y * width + next]! >>= 1;
    }
  }
}

/** Four bytes a pixel as the kernel reads them: luma - 16, U, V (BT.709, limited range), alpha; premultiplied. */
interface PackedLayer {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Without alpha the layer is opaque and its fourth byte stays zero: the kernel does not read a ground's alpha. */
function packLayer({ width, height, data }: RgbImage, alpha?: Uint8Array): PackedLayer {
  const packed = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = alpha ? alpha[pixel]! / 255 : 1;
    if (share === 0) continue;
    const at = pixel * 3;
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    const to = pixel * 4;
    packed[to] = (0.18259 * red + 0.61423 * green + 0.06201 * blue) * share + 0.5;
    packed[to + 1] = (128 - 0.10064 * red - 0.33857 * green + 0.43922 * blue) * share + 0.5;
    packed[to + 2] = (128 + 0.43922 * red - 0.39894 * green - 0.04027 * blue) * share + 0.5;
    packed[to + 3] = alpha ? alpha[pixel]! : 0;
  }
  return { width, height, data: packed };
}
