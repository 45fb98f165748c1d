import { pluralize } from './plurals.ts';
import { PHOTOSESSION_FRAMES } from './prices.ts';

/** What a start of the tool for models and backgrounds can be for. */
export const CHANGES = ['model_change', 'background_change'] as const;
export type Change = (typeof CHANGES)[number];

/** The tool's name: by what a person gets there. */
export const CHANGE_NAMES: Record<Change, string> = {
  model_change: 'Смена модели',
  background_change: 'Смена фона',
};

/** What moves in a video: who is in the photo, or the camera before the photo as it is. */
export const MOVERS = ['person', 'camera'] as const;
export type Mover = (typeof MOVERS)[number];

/** What the frames of a photo session differ in: the pose of who is in them, or the view of one and the same photo. */
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

/** «Поза 1», «Кадр 1» */
export function nameFrame(sort: FrameSort, position: number): string {
  return `${FRAME_NAMES[sort].one}\u00a0${position + 1}`;
}

/** A photo that keeps both its person and its background is not sold as something new. */
export function isBackgroundOffered({ type }: { type: string }, change: Change): boolean {
  return change === 'model_change' || type !== 'keep_original';
}
