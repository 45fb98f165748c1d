import type { Sprite } from './sprite.ts';

/**
 * What supports a subject. It decides the position and the shadow: a `floor` it stands on, a `wall` it hangs or lies
 * on, or the frame's `border` where the photo had cut a figure off.
 */
export type Support = 'floor' | 'wall' | 'border';

/** Position of a subject in a 3:4 frame. The frame's width is 1, its height 4/3 (`FRAME_HEIGHT`). */
export interface Layout {
  support: Support;
  left: number;
  top: number;
  width: number;
  height: number;
}

export const FRAME_HEIGHT = 4 / 3;
/** How far a cut-off side extends beyond the frame, so that no soft rim is visible. */
const OVERSHOOT = 0.004;
/** Height over width from which a subject is a standing figure, and up to which it is a thing on a floor. */
const TALL = 2.5;
const LOW = 0.8;

const ROOM: Record<Support, { width: number; height: number }> = {
  floor: { width: 0.86, height: 0.85 * FRAME_HEIGHT },
  wall: { width: 0.84, height: 0.8 * FRAME_HEIGHT },
  border: { width: 0.94, height: 0.92 * FRAME_HEIGHT },
};
/** A shoe or a bag fills less of the frame. Otherwise it would look closer than when it is carried. */
const LOW_THING_WIDTH = 0.7;
const FLOOR_LINE = { tall: 0.945 * FRAME_HEIGHT, low: 0.8 * FRAME_HEIGHT };
const LOWEST_FLOOR_LINE = 0.97 * FRAME_HEIGHT;
const WALL_CENTRE = 0.485 * FRAME_HEIGHT;

/** Derives from the shape what supports the subject. `castsShadowBelow`: the photo shows a shadow at its foot. */
export function chooseSupport({ width, height, cut }: Sprite, castsShadowBelow: boolean): Support {
  if (cut.bottom) return 'border';
  return castsShadowBelow || height / width >= TALL || height / width <= LOW ? 'floor' : 'wall';
}

/** A garment without a body fills at least this much of the frame's height, if its width allows it. */
const LEAST_HANGING_HEIGHT = (2 / 3) * FRAME_HEIGHT;
const MOST_HANGING_WIDTH = 0.97;
/** How far feet stand below the line where the floor begins, at least. */
const FLOOR_DEPTH = 0.05 * FRAME_HEIGHT;

/**
 * Places the whole subject. Sides that the photo cut off lie on the frame's borders. `floor`: where the floor of the
 * scene begins, as a share of its height. Null when unknown.
 */
export function layOutSubject(
  { width, height, cut }: Pick<Sprite, 'width' | 'height' | 'cut'>,
  support: Support,
  floor: number | null = null,
): Layout {
  const ratio = height / width;
  const isLow = support === 'floor' && ratio < 1.3;
  const usual = isLow ? FLOOR_LINE.low : FLOOR_LINE.tall;
  const floorLine = Math.max(usual, Math.min((floor ?? 0) * FRAME_HEIGHT + FLOOR_DEPTH, LOWEST_FLOOR_LINE));
  let roomAcross = isLow ? LOW_THING_WIDTH : ROOM[support].width;
  let roomDown = ROOM[support].height;
  if (cut.left !== cut.right) roomAcross += (1 - roomAcross) / 2;
  if (cut.top) roomDown = (support === 'floor' ? floorLine : FRAME_HEIGHT) + OVERSHOOT;
  if (cut.bottom && cut.top) roomDown = FRAME_HEIGHT + 2 * OVERSHOOT;
  let scaled = Math.min(roomAcross, roomDown / ratio);
  if (support === 'wall') scaled = Math.max(scaled, Math.min(MOST_HANGING_WIDTH, LEAST_HANGING_HEIGHT / ratio));
  if (cut.left && cut.right) scaled = Math.max(scaled, 1 + 2 * OVERSHOOT);
  if (cut.top && cut.bottom) scaled = Math.max(scaled, roomDown / ratio);
  const size = { width: scaled, height: scaled * ratio };
  return { support, ...size, left: placeAcross(size.width, cut), top: placeDown(size.height, cut, support, floorLine) };
}

function placeAcross(width: number, cut: Sprite['cut']): number {
  if (cut.left && !cut.right) return -OVERSHOOT;
  if (cut.right && !cut.left) return 1 - width + OVERSHOOT;
  return (1 - width) / 2;
}

function placeDown(height: number, cut: Sprite['cut'], support: Support, floorLine: number): number {
  if (cut.bottom) return FRAME_HEIGHT - height + OVERSHOOT;
  if (cut.top) return -OVERSHOOT;
  return support === 'floor' ? floorLine - height : WALL_CENTRE - height / 2;
}

/**
 * A closer view of the upper part. The frame shows the width of the shoulders, and the rest continues below it.
 * `mostWidth`: maximum width of the subject, in widths of the frame.
 */
export function layOutUpperPart(
  { width, height, cut }: Pick<Sprite, 'width' | 'height' | 'cut'>,
  centreShare: number,
  mostWidth: number,
): Layout {
  const ratio = height / width;
  // Width of the window in widths of the subject. Figures show head and chest, and wide things most of themselves.
  const window = Math.min(1.12, Math.max(0.74, 0.42 * ratio));
  const scaled = Math.min(1 / window, mostWidth);
  const air = cut.top ? -OVERSHOOT : 0.055;
  const free = 1 - scaled;
  const centred = 0.5 - centreShare * scaled;
  const left = free >= 0 ? centred : Math.min(0.04, Math.max(free - 0.04, centred));
  const isShort = scaled * ratio + air < FRAME_HEIGHT * 0.9;
  return {
    support: isShort ? 'wall' : 'border',
    left,
    top: isShort && !cut.top ? (FRAME_HEIGHT - scaled * ratio) * 0.46 : air,
    width: scaled,
    height: scaled * ratio,
  };
}
