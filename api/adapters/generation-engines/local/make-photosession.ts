import { composePicture } from './compose-picture.ts';
import { type CutOut, cutOutSubject } from './cut-out-subject.ts';
import { findDetailWindow } from './detail-window.ts';
import { chooseSweep, drawArchScene, drawSweep } from './draw-grounds.ts';
import { fitPhoto } from './fit-photo.ts';
import { WORKING_SIDE } from './make-model-change.ts';
import { cropPhoto, encodeJpeg, measurePhoto } from './picture-file.ts';
import { choosePictureSize } from './picture-size.ts';
import type { RgbImage } from './pixel-image.ts';
import { placeSprite, sourceWidthOf } from './place-sprite.ts';
import type { FrameSize } from './scene.ts';
import type { Box } from './segment-subject.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { meanColour, type Sprite, spriteOf } from './sprite.ts';
import { chooseSupport, type Layout, layOutSubject, layOutUpperPart } from './subject-layout.ts';
import { turnSprite } from './turn-sprite.ts';

const WANTED_WIDTH = 1200;
const YAW_DEGREES = 24;

/**
 * Makes five frames of one product, those at `positions`, each a JPEG of 3:4: on a studio sweep, in a three-quarter
 * turn, the upper part, a detail of the fabric, in a drawn room. Without a clean cut-out they are five crops of the
 * photo. 1200 pixels across and more where the photo has them; none is enlarged by more than half.
 */
export async function* makePhotosession(
  photoFile: Buffer,
  positions: readonly number[],
  frameSize?: FrameSize,
): AsyncGenerator<{ jpeg: Buffer; position: number }> {
  const cutOut = await cutOutSubject(photoFile, WORKING_SIDE);
  const makers = cutOut.matte
    ? await studioFrames(photoFile, cutOut, spriteOf(cutOut.matte), frameSize)
    : await croppedFrames(photoFile, cutOut, frameSize);
  for (const position of positions) {
    const make = makers[position];
    if (!make) throw new RangeError(`there is no frame ${position}`);
    yield { jpeg: await make(), position };
  }
}

type FrameMaker = () => Promise<Buffer>;

function studioFrames(photoFile: Buffer, cutOut: CutOut, sprite: Sprite, frameSize?: FrameSize): FrameMaker[] {
  const support = chooseSupport(sprite, showsShadowBelow(cutOut));
  const [red, green, blue] = meanColour(sprite);
  const luma = (red + green + blue) / 3;
  const sweep = chooseSweep(luma);
  const whole = layOutSubject(sprite, support);
  const sizeOf = (layout: Layout) => frameSize ?? choosePictureSize(sourceWidthOf(sprite, layout), WANTED_WIDTH);
  const show = async (layout: Layout, drawGround: (frame: FrameSize) => RgbImage | Promise<RgbImage>) => {
    const frame = sizeOf(layout);
    return encodeJpeg(await composePicture(await drawGround(frame), await placeSprite(sprite, layout, frame)));
  };
  return [
    () => show(whole, (frame) => drawSweep(frame, sweep.front)),
    async () => {
      const frame = sizeOf(whole);
      const placed = await placeSprite(sprite, whole, frame);
      const turned = await turnSprite(placed.sprite, -YAW_DEGREES);
      const ground = drawSweep(frame, sweep.turned);
      return encodeJpeg(
        await composePicture(ground, {
          ...placed,
          sprite: turned,
          left: placed.left - turned.marginX,
          top: placed.top - turned.marginY,
        }),
      );
    },
    () => show(layOutUpperPart(sprite, 0.5), (frame) => drawSweep(frame, sweep.front)),
    async () => cropDetail(photoFile, cutOut, support === 'border' || isFigure(sprite)),
    () => show(whole, (frame) => drawArchScene(frame, luma > 185)),
  ];
}

function isFigure({ width, height }: Sprite): boolean {
  return height / width >= 2.5;
}

/** Windows over the photo, from the whole to a detail: each shows something that the others do not. */
async function croppedFrames(photoFile: Buffer, cutOut: CutOut, frameSize?: FrameSize): Promise<FrameMaker[]> {
  const { photo, segmentation } = cutOut;
  const { subjectBox: box } = segmentation;
  const file = await measurePhoto(photoFile);
  const wanted = frameSize?.width ?? WANTED_WIDTH;
  const subject = { width: (box.right - box.left) * file.width, height: (box.bottom - box.top) * file.height };
  const isWide = subject.width > subject.height * 0.95;
  const centre = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  /** Of `share` of the largest window that the subject fills, about a place given in shares of the photo. */
  const window = (share: number, x: number, y: number): Box => {
    const most = Math.min(file.width, file.height * 0.75);
    const width = Math.min(most, Math.max(subject.width, subject.height * 0.75, most * 0.5) * share) / file.width;
    const height = (width * file.width * 4) / 3 / file.height;
    const left = Math.min(1 - width, Math.max(0, x - width / 2));
    const top = Math.min(1 - height, Math.max(0, y - height / 2));
    return { left, top, right: left + width, bottom: top + height };
  };
  const crop = (share: number, x: number, y: number) => () => cropPhoto(photoFile, window(share, x, y), wanted);
  const along = (share: number) => ({
    x: isWide ? box.left + (box.right - box.left) * share : centre.x,
    y: isWide ? centre.y : box.top + (box.bottom - box.top) * share,
  });
  const first = along(0.24);
  const last = along(0.76);
  const whole = Math.max(photo.width, photo.height * 0.75);
  return [
    async () => encodeJpeg(await fitPhoto(cutOut, frameSize ?? choosePictureSize(whole, WANTED_WIDTH))),
    crop(0.74, centre.x, centre.y),
    crop(0.56, first.x, first.y),
    crop(0.56, last.x, last.y),
    () => cropDetail(photoFile, cutOut, false),
  ];
}

/** Cloth is looked for below the head of a figure and above its knees. */
const TRUNK = { top: 0.3, bottom: 0.72 };
const DETAIL_SHARE = 0.3;
/** Marketplaces refuse pictures narrower than 900 pixels: this much of the photo makes one. */
const WANTED_DETAIL_PX = 600;
/** Of the subject's width: wider would not be a detail. */
const WIDEST_DETAIL_SHARE = 0.62;
const LEAST_DETAIL_PX = 300;

async function cropDetail(photoFile: Buffer, { photo, segmentation }: CutOut, isPerson: boolean): Promise<Buffer> {
  const { subjectBox: box, verdict, width, height } = segmentation;
  const tall = box.bottom - box.top;
  const within = isPerson ? { ...box, top: box.top + tall * TRUNK.top, bottom: box.top + tall * TRUNK.bottom } : box;
  const file = await measurePhoto(photoFile);
  const subjectShare = box.right - box.left;
  const wanted = Math.min(Math.max(DETAIL_SHARE, WANTED_DETAIL_PX / file.width), WIDEST_DETAIL_SHARE * subjectShare);
  const share = Math.max(wanted, LEAST_DETAIL_PX / file.width);
  const mask = verdict.isTrusted ? segmentation.mask : maskOfBox(width, height, box);
  const window = findDetailWindow(photo, { width, height, data: mask }, within, share);
  return cropPhoto(photoFile, window, WANTED_WIDTH);
}

function maskOfBox(width: number, height: number, box: Box): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (let y = Math.floor(box.top * height); y < box.bottom * height; y++) {
    mask.fill(255, y * width + Math.floor(box.left * width), y * width + Math.floor(box.right * width));
  }
  return mask;
}
