import {
  hasCloseUps,
  largestWindow,
  leastCloseUpWidth,
  leastPictureWidth,
  WIDEST_CLOSE_UP,
} from '#shared/rules/close-ups.ts';
import { choosePictureSize } from './picture-file.ts';
import type { FrameSize } from './scene.ts';
import type { Box } from './segment-subject.ts';
import type { Sprite } from './sprite.ts';
import { FRAME_HEIGHT, type Layout, layOutSubject, layOutUpperPart, type Support } from './subject-layout.ts';

/** What a subject is shown before: the paper of the front view, that of the turned one, and drawn rooms. */
export type PoseGround = 'front' | 'turned' | 'arch' | 'window' | 'disc';

/** Where the floor of a drawn room begins, as a share of its height; paper has no such place. */
export const ROOM_FLOORS = { arch: 0.8, window: 0.76, disc: 0.76 } as const;

interface Frame {
  size: FrameSize;
  /** Pixels of the frame for one of the photo's file. */
  enlargement: number;
  /** Whether it shows a part from nearer: there an enlargement is seen. */
  isCloseUp: boolean;
}

/** That place of the photo which has the most texture, `sourceWidth` of its pixels across. */
export interface DetailPose extends Frame {
  view: 'detail';
  sourceWidth: number;
}

/** What was cut out, whole or its upper part, before a drawn ground, perhaps turned about its upright axis. */
interface SubjectPose extends Frame {
  view: 'subject';
  ground: PoseGround;
  layout: Layout;
  isTurned: boolean;
}

/** The whole photo. */
interface PhotoPose extends Frame {
  view: 'photo';
}

/** A window over the photo; its corner in shares of the photo. */
interface CropPose extends Frame {
  view: 'crop';
  corner: Pick<Box, 'left' | 'top'>;
  sourceWidth: number;
}

/** The whole photo as a print before a drawn ground. */
interface PrintPose extends Frame {
  view: 'print';
  ground: PoseGround;
  layout: Layout;
}

export type StudioPose = SubjectPose | DetailPose;
export type UncutPose = PhotoPose | CropPose | PrintPose | DetailPose;

/** How much nearer than the whole view a close-up has to be, so as not to be the same picture again. */
const NEARER = 1.25;
/** A detail's usual share of the photo's width. */
const DETAIL_SHARE = 0.3;
/** Of the subject's width: wider would not be a detail. */
const WIDEST_DETAIL = 0.62;

/**
 * Plans five frames of a subject that was cut out: on two papers, from nearer, a detail of the fabric, in a drawn
 * room. A close-up that the photo is too small for gives way to the whole subject in another room. `subject` is
 * measured in pixels of the photo's file.
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
    return { ...{ view: 'subject', ground, layout, isTurned }, ...sizes.whole(subject.width / layout.width) };
  };
  // The light of the window falls past what stands aside.
  const spares = [show('window', { free: 0.3 }), show('disc')];

  const upper = layOutUpperPart(subject, 0.5, subject.width / sizes.leastSource);
  const isNear = hasCloseUps(file) && upper.width >= whole.width * NEARER;
  const widestDetail = Math.min(subject.width * WIDEST_DETAIL, subject.height / FRAME_HEIGHT);
  return [
    show('front'),
    show('turned', { free: 0.68, isTurned: true }),
    isNear
      ? {
          ...{ view: 'subject', ground: 'front', layout: upper, isTurned: false },
          ...sizes.closeUp(subject.width / upper.width),
        }
      : spares.shift()!,
    planDetail(file, widestDetail, sizes) ?? spares.shift()!,
    show('arch'),
  ];
}

/** Shares of the window around the subject that crops show, and how wide they may become for the pixels' sake. */
const CROPS = { middle: { usual: 0.74, most: WIDEST_CLOSE_UP }, end: { usual: 0.56, most: 0.8 } };

/**
 * Plans five frames of a photo that nothing could be cut out of: the whole, windows from a part to a detail, each
 * showing something that the others do not. A window that the photo is too small for gives way to the whole photo as
 * a print. `box` holds what stands out, in shares of the photo.
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
  /** Of `sourceWidth` pixels of the photo, about a place given in shares of it. */
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

/** Sizes of frames by the pixels of the photo that they show across. */
function chooseSizes(file: FrameSize) {
  const leastWidth = leastPictureWidth(file);
  const of = (sourceWidth: number, isCloseUp: boolean): Frame => {
    const size = choosePictureSize(sourceWidth, leastWidth);
    return { size, enlargement: size.width / sourceWidth, isCloseUp };
  };
  return {
    whole: (sourceWidth: number) => of(sourceWidth, false),
    closeUp: (sourceWidth: number) => of(sourceWidth, true),
    /** The narrowest that a close-up may show. */
    leastSource: leastCloseUpWidth(file),
  };
}

/** Null where a detail would have to be wider than `widest` pixels. */
function planDetail(file: FrameSize, widest: number, { leastSource, closeUp }: Sizes): DetailPose | null {
  const sourceWidth = Math.max(leastSource, Math.min(file.width * DETAIL_SHARE, widest));
  return hasCloseUps(file) && sourceWidth <= widest ? { view: 'detail', sourceWidth, ...closeUp(sourceWidth) } : null;
}

/** `free`: the part of the free width that stays on the left. */
function standAt(layout: Layout, cut: Sprite['cut'], free: number): Layout {
  const room = 1 - layout.width;
  return cut.left || cut.right || room <= 0 ? layout : { ...layout, left: room * free };
}
