import { pluralize } from './plurals.ts';
import { PHOTOSESSION_FRAMES } from './prices.ts';

export const CHANGES = ['model_change', 'background_change'] as const;
export type Change = (typeof CHANGES)[number];

export const CHANGE_NAMES: Record<Change, string> = {
  model_change: 'Смена модели',
  background_change: 'Смена фона',
};

/** What moves in a video: the person in the photo, or the camera in front of the unchanged photo. */
export const MOVERS = ['person', 'camera'] as const;
export type Mover = (typeof MOVERS)[number];

/** How the frames of a photo session differ: in the person's pose, or in the view of the same photo. */
export const FRAME_SORTS = ['poses', 'views'] as const;
export type FrameSort = (typeof FRAME_SORTS)[number];

const FRAME_NAMES: Record<FrameSort, { one: string; forms: readonly [string, string, string] }> = {
  poses: { one: 'Поза', forms: ['поза', 'позы', 'поз'] },
  views: { one: 'Кадр', forms: ['кадр', 'кадра', 'кадров'] },
};

/** «5 поз», «5 кадров» */
export function countFrames(sort: FrameSort, count: number = PHOTOSESSION_FRAMES): string {
  return `${count}\u00a0${pluralize(count, FRAME_NAMES[sort].forms)}`;
}

/** «1 позу», «5 кадров»: what is being made */
export function countFramesMade(sort: FrameSort, count: number): string {
  return countFrames(sort, count).replace(/поза$/, 'позу');
}

/** «Поза 1», «Кадр 1» */
export function nameFrame(sort: FrameSort, position: number): string {
  return `${FRAME_NAMES[sort].one}\u00a0${position + 1}`;
}

/** Keeping both the person and the background is not offered, because nothing would change. */
export function isBackgroundOffered({ type }: { type: string }, change: Change): boolean {
  return change === 'model_change' || type !== 'keep_original';
}

export const PHOTOS_TRAVEL = ['nowhere', 'operator', 'abroad'] as const;
export type PhotosTravel = (typeof PHOTOS_TRAVEL)[number];
