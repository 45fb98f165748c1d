import { throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import type * as FitPhotoWork from './fit-photo-work.ts';

/** The file is no picture that can be decoded. */
export class UnreadablePhotoError extends Error {
  constructor(cause: unknown) {
    super('the photo cannot be decoded', { cause });
    this.name = 'UnreadablePhotoError';
  }
}

const run = workIn<typeof FitPhotoWork>(new URL('./fit-photo-work.ts', import.meta.url), {
  maxTasks: 50,
});

/**
 * Gives a photo the ratio of a frame, as a JPEG of exactly that size. Sides that show nothing but a smooth ground are
 * cut off. Otherwise the photo stays whole and is continued by its own blurred edges. Nothing is stretched, and the
 * photo itself stays sharp. Throws UnreadablePhotoError, and what throwMachineFault does.
 */
export function fitToFrame(photo: Buffer, frame: FrameSize): Promise<Buffer> {
  return refuse(run('fitToFrame', { photo, frame }));
}

/** Shrinks a photo until no side is longer than `maxSide`. A JPEG. Throws what fitToFrame does. */
export function shrinkPhoto(photo: Buffer, maxSide: number): Promise<Buffer> {
  return refuse(run('shrinkPhoto', { photo, maxSide }));
}

async function refuse(work: Promise<Buffer>): Promise<Buffer> {
  try {
    return await work;
  } catch (error) {
    throwMachineFault(error);
    throw new UnreadablePhotoError(error);
  }
}
