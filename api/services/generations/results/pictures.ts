import { workIn } from '#api/platform/work-processes/work-process.ts';
import type * as PictureWork from './picture-work.ts';

/** Makes the pictures that are stored, in other processes. Storing one takes several steps. */
export const pictureWork = workIn<typeof PictureWork>(new URL('./picture-work.ts', import.meta.url), {
  maxTasks: 100,
});
