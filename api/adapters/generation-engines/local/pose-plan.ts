import { choosePictureSize } from '#api/imaging/picture-file.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import type { Box } from '#api/imaging/segmentation.ts';
import {
  hasCloseUps,
  largestWindow,
  leastCloseUpWidth,
  leastPictureWidth,
  WIDEST_CLOSE_UP,
} from '#shared/rules/close-ups.ts';
import type { Sprite } from './sprite.ts';
import { FRAME_HEIGHT, type Layout, layOutSubject, layOutUpperPart, type Support } from './subject-layout.ts';

/** The ground of a pose: paper for the front view, paper for the turned one, and drawn rooms. */
export type PoseGround = 'front' | 'turned' | 'arch' | 'window' | 'disc';

/** Where the floor of a drawn room begins, as a share of its height. Paper has no floor. */
export const ROOM_FLOORS = { arch: 0.8, window: 0.76, disc: 0.76 } as const;

interface Frame {
  size: FrameSize;
  /** Pixels of the frame per pixel of the photo's file. */
  enlargement: number;
  /** Whether it shows a part from close up, where an enlargement would be visible. */
  isCloseUp: boolean;
}

/** The part of the photo with the most texture, `sourceWidth` pixels wide. */
export interface DetailPose extends Frame {
  view: 'detail';
  sourceWidth: number;
}

/** The cut-out subject or its upper part on a drawn ground, optionally turned about its upright axis. */
interface SubjectPose extends Frame {
  view: 'subject';
  ground: PoseGround;
  layout: Layout;
  isTurned: boolean;
}

interface PhotoPose extends Frame {
  view: 'photo';
}

/** A window over the photo. Its corner is in shares of the photo. */
interface CropPose extends Frame {
  view: 'crop';
  corner: Pick<Box, 'left' | 'top'>;
  sourceWidth: number;
}

/** The whole photo as a print on a drawn ground. */
interface PrintPose extends Frame {
  view: 'print';
  ground: PoseGround;
  layout: Layout;
}

export type StudioPose = SubjectPose | DetailPose;
export type UncutPose = PhotoPose | CropPose | PrintPose | DetailPose;

/** How much closer than the whole view a close-up has to be, so that it is not the same picture again. */
const NEARER = 1.25;
/** Usual width of a detail, as a share of the photo's width. */
const DETAIL_SHARE = 0.3;
/** Largest width of a detail, as a share of the subject's width. A wider part would not be a detail. */
const WIDEST_DETAIL = 0.62;

/**
 * Plans five frames of a cut-out subject: two on paper, a closer view, a detail of the fabric, one in a drawn room. If
 * the photo is too small for a close-up, the whole subject in another room replaces it. `subject`: size in pixels of
 * the photo's file.
 */
export function planStudioPoses(
  subject: Pick<Sprite, 'width' | 'height' | 'cut'>,
  support: Support,
  file: FrameSize,
): StudioPose[] {
  const sizes = chooseSizes(file);
  const whole = layOutSubject(subject, support);
  const show = (ground: PoseGround, { free = 0.5, isTurned = false } = {}): StudioPose => {
    const floor = ground === 'front' || ground === 'turned' ? null : ROOM_FLOORS[ground];
    const layout = standAt(layOutSubject(subject, support, floor), subject.cut, free);
    return { view: 'subject', ground, layout, isTurned, ...sizes.whole(subject.width / layout.width) };
  };
  // Moved aside, the subject leaves the light of the window visible.
  const spares = [show('window', { free: 0.3 }), show('disc')];

  const upper = layOutUpperPart(subject, 0.5, subject.width / sizes.leastSource);
  const isNear = hasCloseUps(file) && upper.width >= whole.width * NEARER;
  const widestDetail = Math.min(subject.width * WIDEST_DETAIL, subject.height / FRAME_HEIGHT);
  return [
    show('front'),
    show('turned', { free: 0.68, isTurned: true }),
    isNear
      ? {
          view: 'subject',
          ground: 'front',
          layout: upper,
          isTurned: false,
          ...sizes.closeUp(subject.width / upper.width),
        }
      : spares.shift()!,
    planDetail(file, widestDetail, sizes) ?? spares.shift()!,
    show('arch'),
  ];
}

/**
 * Usual and maximum width of the crops, as shares of the window around the subject. They widen when the photo has few
 * pixels.
 */
const CROPS = { middle: { usual: 0.74, most: WIDEST_CLOSE_UP }, end: { usual: 0.56, most: 0.8 } };

/**
 * Plans five frames of a photo without a cut-out: the whole photo, and windows from a part to a detail, each showing
 * something new. If the photo is too small for a window, the photo as a print replaces it. `box`: what stands out, in
 * shares of the photo.
 */
export function planUncutPoses(file: FrameSize, box: Box): UncutPose[] {
  const sizes = chooseSizes(file);
  const subject = { width: (box.right - box.left) * file.width, height: (box.bottom - box.top) * file.height };
  const isWide = subject.width > subject.height * 0.95;
  const centre = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  const largest = largestWindow(file);
  const around = Math.min(largest, Math.max(subject.width, subject.height / FRAME_HEIGHT, largest / 2));
  const layout = layOutSubject({ ...file, cut: { left: false, top: false, right: false, bottom: false } }, 'wall');
  const prints = (['front', 'window', 'disc', 'arch'] as const).map(
    (ground): UncutPose => ({ view: 'print', ground, layout, ...sizes.whole(file.width / layout.width) }),
  );
  /** `sourceWidth`: pixels of the photo. The centre is in shares of it. */
  const crop = (sourceWidth: number, { x, y }: { x: number; y: number }): UncutPose => {
    const width = sourceWidth / file.width;
    const height = (sourceWidth * FRAME_HEIGHT) / file.height;
    const left = Math.min(1 - width, Math.max(0, x - width / 2));
    const top = Math.min(1 - height, Math.max(0, y - height / 2));
    return { view: 'crop', corner: { left, top }, sourceWidth, ...sizes.closeUp(sourceWidth) };
  };
  const along = (share: number) => ({
    x: isWide ? box.left + (box.right - box.left) * share : centre.x,
    y: isWide ? centre.y : box.top + (box.bottom - box.top) * share,
  });

  const end = Math.max(around * CROPS.end.usual, sizes.leastSource);
  const hasEnds = end <= around * CROPS.end.most;
  const middle = Math.max(around * CROPS.middle.usual, hasEnds ? end * NEARER : sizes.leastSource);
  const hasMiddle = middle <= around * CROPS.middle.most;
  const widestDetail = Math.min(subject.width * WIDEST_DETAIL, end / NEARER);
  return [
    { view: 'photo', ...sizes.whole(Math.max(file.width, (file.height * 3) / 4)) },
    hasMiddle ? crop(middle, centre) : prints.shift()!,
    hasEnds ? crop(end, along(0.24)) : prints.shift()!,
    hasEnds ? crop(end, along(0.76)) : prints.shift()!,
    planDetail(file, widestDetail, sizes) ?? prints.shift()!,
  ];
}

type Sizes = ReturnType<typeof chooseSizes>;

function chooseSizes(file: FrameSize) {
  const leastWidth = leastPictureWidth(file);
  const of = (sourceWidth: number, isCloseUp: boolean): Frame => {
    const size = choosePictureSize(sourceWidth, leastWidth);
    return { size, enlargement: size.width / sourceWidth, isCloseUp };
  };
  return {
    whole: (sourceWidth: number) => of(sourceWidth, false),
    closeUp: (sourceWidth: number) => of(sourceWidth, true),
    /** The narrowest part that a close-up may show. */
    leastSource: leastCloseUpWidth(file),
  };
}

/** Null when a detail would be wider than `widest` pixels. */
function planDetail(file: FrameSize, widest: number, { leastSource, closeUp }: Sizes): DetailPose | null {
  const sourceWidth = Math.max(leastSource, Math.min(file.width * DETAIL_SHARE, widest));
  return hasCloseUps(file) && sourceWidth <= widest ? { view: 'detail', sourceWidth, ...closeUp(sourceWidth) } : null;
}

/** `free`: the share of the free width that stays on the left. */
function standAt(layout: Layout, cut: Sprite['cut'], free: number): Layout {
  const room = 1 - layout.width;
  return cut.left || cut.right || room <= 0 ? layout : { ...layout, left: room * free };
}
