import sharp from 'sharp';
import { JPEG } from '#api/imaging/picture-file.ts';
import { type FrameSize, openPhoto } from '#api/imaging/pixel-image.ts';

/** Up to this share of a side is cut off whatever it shows: a narrow bar would look like a mistake. */
const SLIVER_SHARE = 0.04;
/** Longer side of the copy in which the ground is told from the subject. */
const LOOK_SIDE = 160;
/** Neighbouring pixels of a ground differ by less, on a scale of 255. */
const GROUND_STEP = 10;
/** Share of larger steps that a ground may have, by noise. */
const GROUND_STEPS_MAX_SHARE = 0.005;
/** Of the longer side of the frame. */
const GROUND_BLUR_SHARE = 0.02;
const GROUND_SHRINK = 8;
const FAST_PNG = { compressionLevel: 1 } as const;

/** Every picture is used once, so a cache of operations would only occupy memory. */
sharp.cache(false);

/**
 * Gives a photo the ratio of a frame, as a JPEG of exactly that size. Sides that show nothing but a smooth ground are
 * cut off. Otherwise the photo stays whole and is continued by its own blurred edges. Nothing is stretched, and the
 * photo itself stays sharp.
 */
export async function fitToFrame({ photo, frame }: { photo: Buffer; frame: FrameSize }): Promise<Buffer> {
  const { autoOrient: size } = await openPhoto(photo).metadata();
  const ratio = size.width / size.height / (frame.width / frame.height);
  const cut = 1 - Math.min(ratio, 1 / ratio);
  if (cut <= SLIVER_SHARE || (await areSidesEmpty(photo, ratio > 1, cut))) {
    return openPhoto(photo).resize(frame.width, frame.height, { fit: 'cover' }).jpeg(JPEG).toBuffer();
  }
  const [fitted, ground] = await Promise.all([
    openPhoto(photo).resize(frame.width, frame.height, { fit: 'inside' }).png(FAST_PNG).toBuffer(),
    continueEdges(photo, frame),
  ]);
  return sharp(ground)
    .resize(frame.width, frame.height, { fit: 'fill', kernel: 'cubic' })
    .composite([{ input: fitted, gravity: 'centre' }])
    .jpeg(JPEG)
    .toBuffer();
}

/** Whether only a smooth ground would be cut off, `cut` of the width or the height in all, half of it at each end. */
async function areSidesEmpty(photo: Buffer, isWide: boolean, cut: number): Promise<boolean> {
  const { data, info } = await openPhoto(photo)
    .resize(LOOK_SIDE, LOOK_SIDE, { fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const [across, along] = isWide ? [info.width, info.height] : [info.height, info.width];
  const margin = Math.ceil((across * cut) / 2) + 1;
  /** One channel of a pixel; `from`: its distance from the first end, `at`: its place along it. */
  const valueAt = (from: number, at: number, channel: number) =>
    data[(isWide ? at * info.width + from : from * info.width + at) * info.channels + channel] ?? 0;
  let steps = 0;
  for (const start of [0, across - margin]) {
    for (let from = start; from < start + margin; from++) {
      for (let at = 1; at < along; at++) {
        const isStep = [0, 1, 2].some((channel) => {
          const value = valueAt(from, at, channel);
          const inward = valueAt(from === start ? from + 1 : from - 1, at, channel);
          return Math.max(Math.abs(value - valueAt(from, at - 1, channel)), Math.abs(value - inward)) > GROUND_STEP;
        });
        if (isStep) steps++;
      }
    }
  }
  return steps / (2 * margin * along) <= GROUND_STEPS_MAX_SHARE;
}

/** The edges of the photo, continued until they fill the frame and blurred. Small, because it is blurred anyway. */
async function continueEdges(photo: Buffer, frame: FrameSize): Promise<Buffer> {
  const width = Math.round(frame.width / GROUND_SHRINK);
  const height = Math.round(frame.height / GROUND_SHRINK);
  const { data, info } = await openPhoto(photo)
    .resize(width, height, { fit: 'inside' })
    .png(FAST_PNG)
    .toBuffer({ resolveWithObject: true });
  const left = Math.floor((width - info.width) / 2);
  const top = Math.floor((height - info.height) / 2);
  const filled = await sharp(data)
    .extend({ left, top, right: width - info.width - left, bottom: height - info.height - top, extendWith: 'copy' })
    .png(FAST_PNG)
    .toBuffer();
  return sharp(filled)
    .blur(Math.max(width, height) * GROUND_BLUR_SHARE)
    .png(FAST_PNG)
    .toBuffer();
}

/** Shrinks a photo until no side is longer than `maxSide`. A JPEG. */
export function shrinkPhoto({ photo, maxSide }: { photo: Buffer; maxSide: number }): Promise<Buffer> {
  return openPhoto(photo).resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true }).jpeg(JPEG).toBuffer();
}
