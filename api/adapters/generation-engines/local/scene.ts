import type { ProductCategory } from '#shared/rules/motion-presets.ts';
import { extendGround } from './extend-ground.ts';
import { matteSubject } from './matting.ts';
import { type PackedLayer, packLayer } from './packed-layer.ts';
import { decodePhoto, resizeRgb } from './pixel-image.ts';
import { placePhoto } from './placement.ts';
import { inflateRelief, type Relief, wholeFrameRelief } from './relief.ts';
import { type Segmentation, segmentSubject } from './segment-subject.ts';
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
  /** Ground without the subject, reaching beyond the frame by `margin` pixels on all sides. */
  ground: PackedLayer;
  margin: number;
  relief: Relief;
  /** Bounds of the subject in frame pixels. */
  box: { left: number; top: number; right: number; bottom: number };
  /** Sides on which the photo's border cuts the subject off. */
  cut: CutSides;
  shadow: 'wall' | 'floor';
  verdict: Segmentation['verdict'];
}

/** Longest side that photos are worked on at, over the frame's longest: more would not be seen, and costs memory. */
const WORKING_SCALE = 1.1;
/** Height over width from which a subject is a figure on its feet: no garment alone is so slim. */
const STANDING_RATIO = 2.5;
/** How far the ground reaches beyond the frame, as a share of the frame's width. */
const MARGIN_SHARE = 0.08;

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
  if (!verdict.isTrusted) {
    const board = await extendGround(placed, placement, frame, 0, segmentation.isPlainGround ? segmentation : null);
    const opaque = new Uint8Array(frame.width * frame.height).fill(255);
    return {
      frame,
      subject: packLayer(board, opaque),
      isCutOut: false,
      ground: packLayer({ width: 2, height: 2, data: new Uint8Array(12) }),
      margin: 0,
      relief: wholeFrameRelief(frame),
      box,
      cut: { left: true, top: true, right: true, bottom: true },
      shadow: 'wall',
      verdict,
    };
  }
  const matte = await matteSubject(placed, {
    width: segmentation.width,
    height: segmentation.height,
    data: segmentation.mask,
  });
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
  const cut = findCutSides(matte);
  const isTall = box.bottom - box.top > STANDING_RATIO * (box.right - box.left);
  const standsOnFloor = !cut.bottom && (category === 'обувь' || isTall || showsShadowBelow({ photo, segmentation }));
  return {
    frame,
    subject: packLayer({ ...frame, data: colours }, alpha),
    isCutOut: true,
    ground: packLayer(ground),
    margin,
    relief: await inflateRelief({ ...frame, data: alpha }),
    box,
    cut,
    shadow: standsOnFloor ? 'floor' : 'wall',
    verdict,
  };
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
