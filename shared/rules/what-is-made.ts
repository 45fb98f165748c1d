import { GENERATION_KINDS } from './generation-lifecycle.ts';

/**
 * What a generation really makes. A change of model may leave the person of the photo, and then it is a change of what
 * is behind; with the photo's own background it changed nothing, which is not sold any more.
 */
export const MADE = [...GENERATION_KINDS, 'background_change', 'photo_kept'] as const;
export type Made = (typeof MADE)[number];

/** What a start of the tool for models and backgrounds can be for. */
export const CHANGES = ['model_change', 'background_change'] as const satisfies readonly Made[];
export type Change = (typeof CHANGES)[number];

/** The tool's name: by what a person gets there. */
export const CHANGE_NAMES: Record<Change, string> = {
  model_change: 'Смена модели',
  background_change: 'Смена фона',
};

/** A photo that keeps both its person and its background is not sold as something new. */
export function isBackgroundOffered({ type }: { type: string }, change: Change): boolean {
  return change === 'model_change' || type !== 'keep_original';
}
