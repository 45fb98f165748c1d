import { isOutlineFaint, measureFaintShare } from '#api/imaging/cutout-gate.ts';
import { matteByAlpha, matteSubject } from '#api/imaging/matting.ts';
import { decodePhoto, type FrameSize, type RgbImage, resizePlane, resizeRgb } from '#api/imaging/pixel-image.ts';
import { type Placement, placePhoto } from '#api/imaging/placement.ts';
import { segmentByAlpha, segmentSubject } from '#api/imaging/segment-subject.ts';
import type { Box, Segmentation } from '#api/imaging/segmentation.ts';
import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { extendGround } from './extend-ground.ts';
import { readGivenMask } from './given-mask.ts';
import { type Layer, packLayer, WHITE } from './layer.ts';
import { flatRelief, inflateRelief, type Relief } from './relief.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { type CutSides, findCutSides } from './sprite.ts';

/** Everything that the frames of one video are made of. Prepared once. */
export interface Scene {
  frame: FrameSize;
  /** The cut-out subject, or the whole picture as one opaque board. */
  subject: Layer;
  isCutOut: boolean;
  /** The ground without the subject. */
  ground: Layer;
  /** Pixels by which the rearmost layer (the ground or the board) extends beyond the frame on all sides. */
  margin: number;
  relief: Relief;
  /** Bounds of the subject in frame pixels. */
  box: { left: number; top: number; right: number; bottom: number };
  /** Sides at which the photo's border cuts the subject off. */
  cut: CutSides;
  shadow: 'wall' | 'floor';
  /** How much brighter the subject can become before its highlights clip. 1 for white. */
  headroom: number;
  verdict: Segmentation['verdict'] | { isTrusted: false; reason: 'outline_faint'; faintShare: number };
}

/**
 * Longest side at which photos are processed, relative to the frame's longest side. More would not be visible and needs
 * memory.
 */
const WORKING_SCALE = 1.1;
/** Height over width from which a subject is a standing figure. No single garment is so slim. */
const STANDING_RATIO = 2.5;
/** How far the ground extends beyond the frame, as a share of the frame's width. */
const MARGIN_SHARE = 0.08;
/**
 * How far a board with a plain ground extends beyond the frame, as a share of the frame's height. It is visible when
 * the camera steps back.
 */
const BOARD_MARGIN_SHARE = 0.12;

/**
 * Turns a photo into the layers of a frame. `maskFile`: the transparency that the photo's file had. Computes for a
 * second or two: do not call it in the server.
 */
export async function prepareScene(
  photoFile: Buffer,
  frame: FrameSize,
  category: ProductCategory,
  maskFile: Buffer | null = null,
): Promise<Scene> {
  const photo = await decodePhoto(photoFile, Math.round(Math.max(frame.width, frame.height) * WORKING_SCALE));
  const given = maskFile && (await readGivenMask(maskFile, photo));
  const segmentation = await (given ? segmentByAlpha(given) : segmentSubject(photo));
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
  const matte = given
    ? await matteByAlpha(placed, await resizePlane(given, placed.width, placed.height))
    : await matteSubject(placed, segmentation);
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

/** The whole picture as one layer, in which subject and ground move together. */
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
    ground: packLayer({ width: 1, height: 1, data: new Uint8Array(3) }),
    margin,
    relief: flatRelief(frame),
    box,
    cut,
    shadow: 'wall',
    headroom: 1,
    verdict,
  };
}

/** Distance from a side of the photo, as a share of it, at which a subject is assumed to continue beyond. */
const TOUCH = 0.004;

function findTouchedSides({ left, top, right, bottom }: Box): CutSides {
  return { left: left < TOUCH, top: top < TOUCH, right: right > 1 - TOUCH, bottom: bottom > 1 - TOUCH };
}

/** Share of the subject that counts as its highlights. */
const HIGHLIGHTS = 0.02;

function measureHeadroom({ data }: Layer): number {
  const counts = new Uint32Array(256);
  let total = 0;
  const planeBytes = data.length / 4;
  for (let at = 0; at < planeBytes; at += 4) {
    if (data[at + 3 * planeBytes] !== 255) continue;
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

/** Contact with a side that is shorter than this share of the frame's height is a sleeve touching the border. */
const GRAZE_SHARE = 0.2;

/**
 * Clears the outermost columns where a sleeve only touches the left or right side. The kernel continues everything that
 * touches the layer's border. That is right for a figure cut at the hips, but it would smear a sleeve.
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
