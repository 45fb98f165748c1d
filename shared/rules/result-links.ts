import { PATHS } from './app-paths.ts';
import type { GenerationKind } from './generation-lifecycle.ts';
import { TOOLS } from './tools.ts';

/** Names the picture that the gallery is to open. */
export const PICTURE_PARAMETER = 'picture';
/** Names the generation that a page of a tool is to show. */
export const GENERATION_PARAMETER = 'generation';

/** Where a generation can be looked at, whether it runs, is ready or has failed; a path of our site. */
export function resultPath(kind: GenerationKind, generationId: string): string {
  return `${TOOLS[kind].page}?${GENERATION_PARAMETER}=${generationId}`;
}

/** Where a picture is looked at among the others; a path of our site. */
export function picturePath(imageId: string): string {
  return `${PATHS.gallery}?${PICTURE_PARAMETER}=${imageId}`;
}
