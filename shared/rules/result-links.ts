import { PATHS } from './app-paths.ts';
import type { GenerationKind } from './generation-lifecycle.ts';
import { TOOLS } from './tools.ts';

export const PICTURE_PARAMETER = 'picture';
/** Query parameter with the generation that the page of a tool shows. */
export const GENERATION_PARAMETER = 'generation';

/** Query parameter with the generation whose settings the page of a tool takes for another photo. */
export const LIKE_PARAMETER = 'like';

/** Path of the page that shows a generation in any status. */
export function resultPath(kind: GenerationKind, generationId: string): string {
  return `${TOOLS[kind].page}?${GENERATION_PARAMETER}=${generationId}`;
}

/** Path of the tool with the settings of this generation, where it waits for another photo. */
export function likePath(kind: GenerationKind, generationId: string): string {
  return `${TOOLS[kind].page}?${LIKE_PARAMETER}=${generationId}`;
}

export function picturePath(imageId: string): string {
  return `${PATHS.gallery}?${PICTURE_PARAMETER}=${imageId}`;
}

/** Query parameter with the batch that the page of batches shows. */
export const BATCH_PARAMETER = 'batch';

export function batchPath(batchId: string): string {
  return `${PATHS.batches}?${BATCH_PARAMETER}=${batchId}`;
}
