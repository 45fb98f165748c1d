import type { GenerationKind } from './generation-lifecycle.ts';

/** Tools with settings that can be kept. A photo session has nothing to choose. */
export const SET_KINDS = ['video', 'model_change', 'try_on'] as const satisfies GenerationKind[];
export type SetKind = (typeof SET_KINDS)[number];

export const SET_NAME_MAX_LENGTH = 40;
/** Sets of one tool in one account. A merge of accounts may lead to more. */
export const SETS_MAX = 50;
