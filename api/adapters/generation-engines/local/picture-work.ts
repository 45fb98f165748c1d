import sharp from 'sharp';
import type { FrameSize } from '#api/imaging/pixel-image.ts';
import { makeModelChange } from './make-model-change.ts';
import { makePhotosession } from './make-photosession.ts';

export type PictureTask = { photo: Uint8Array; mask: Uint8Array | null; frameSize?: FrameSize | undefined } & (
  | { kind: 'model_change'; background: Uint8Array | null; floor: number | null }
  | { kind: 'photosession'; positions: number[] }
);

export interface MadePicture {
  jpeg: Uint8Array;
  position: number;
}

// Every picture is used once, so a cache of operations would only occupy memory.
sharp.cache(false);

/** Makes pictures and reports each. Throws PhotoUnsuitableError. Its calls block, so it runs in another process. */
export async function makePictures(task: PictureTask, report: (picture: MadePicture) => void): Promise<void> {
  const photo = Buffer.from(task.photo);
  const mask = task.mask && Buffer.from(task.mask);
  if (task.kind === 'model_change') {
    const background = task.background && Buffer.from(task.background);
    report({ jpeg: await makeModelChange(photo, background, task.frameSize, task.floor, mask), position: 0 });
  } else {
    for await (const picture of makePhotosession(photo, task.positions, task.frameSize, mask)) report(picture);
  }
}
