import { cropPhoto, encodeJpeg, measurePhoto } from '#api/imaging/picture-file.ts';
import type { FrameSize, Matte, RgbImage } from '#api/imaging/pixel-image.ts';
import type { Box } from '#api/imaging/segmentation.ts';
import { composePicture, type PlacedSprite, placeSprite } from './compose-picture.ts';
import { type CutOut, cutOutSubject } from './cut-out-subject.ts';
import { findDetailWindow } from './detail-window.ts';
import { drawPoseGround } from './draw-grounds.ts';
import { fitPhoto } from './extend-ground.ts';
import { WORKING_SIDE } from './make-model-change.ts';
import { type DetailPose, planStudioPoses, planUncutPoses, type StudioPose, type UncutPose } from './pose-plan.ts';
import { showsShadowBelow } from './shadow-below.ts';
import { meanColour, type Sprite } from './sprite.ts';
import { chooseSupport } from './subject-layout.ts';
import { takeSubject } from './take-subject.ts';
import { turnSprite } from './turn-sprite.ts';

/** Width of the white margin around a printed photo, as a share of the print's width. */
const PRINT_MARGIN_SHARE = 0.025;
const PAPER = 250;

const YAW_DEGREES = 24;

/**
 * Makes the frames of one product at `positions`, out of five. Each is a 3:4 JPEG that marketplaces accept, at least
 * 1200 pixels wide if the photo has them. The photo's size and the cut-out decide what the five frames show
 * (pose-plan.ts).
 */
export async function* makePhotosession(
  photoFile: Buffer,
  positions: readonly number[],
  frameSize?: FrameSize,
  maskFile: Buffer | null = null,
): AsyncGenerator<{ jpeg: Buffer; position: number }> {
  const cutOut = await cutOutSubject(photoFile, WORKING_SIDE, maskFile);
  const file = await measurePhoto(photoFile);
  const makers = cutOut.matte
    ? studioFrames(photoFile, file, cutOut, cutOut.matte, frameSize)
    : uncutFrames(photoFile, file, cutOut, frameSize);
  for (const position of positions) {
    const make = makers[position];
    if (!make) throw new RangeError(`there is no frame ${position}`);
    yield { jpeg: await make(), position };
  }
}

type FrameMaker = () => Promise<Buffer>;

function studioFrames(
  photoFile: Buffer,
  file: FrameSize,
  cutOut: CutOut,
  matte: Matte,
  frameSize?: FrameSize,
): FrameMaker[] {
  const subject = takeSubject(photoFile, file, matte);
  const { sprite } = subject;
  const support = chooseSupport(sprite, showsShadowBelow(cutOut));
  const colour = meanColour(sprite);
  const make = async (pose: StudioPose) => {
    const size = frameSize ?? pose.size;
    if (pose.view === 'detail')
      return cropDetail(photoFile, file, cutOut, pose, size, support === 'border' || isFigure(sprite));
    const placed = await subject.place(pose.layout, size);
    const ground = await drawPoseGround(pose.ground, size, colour, support);
    return encodeJpeg(await composePicture(ground, pose.isTurned ? await turn(placed) : placed));
  };
  return planStudioPoses(subject.inFile, support, file).map((pose) => () => make(pose));
}

async function turn(placed: PlacedSprite): Promise<PlacedSprite> {
  const sprite = await turnSprite(placed.sprite, -YAW_DEGREES);
  return { ...placed, sprite, left: placed.left - sprite.marginX, top: placed.top - sprite.marginY };
}

function isFigure({ width, height }: Sprite): boolean {
  return height / width >= 2.5;
}

function uncutFrames(photoFile: Buffer, file: FrameSize, cutOut: CutOut, frameSize?: FrameSize): FrameMaker[] {
  const { photo, segmentation } = cutOut;
  const make = async (pose: UncutPose) => {
    const size = frameSize ?? pose.size;
    switch (pose.view) {
      case 'photo':
        return encodeJpeg(await fitPhoto(cutOut, size));
      case 'crop':
        return cropPhoto(photoFile, pose.corner, pose.sourceWidth, size);
      case 'detail':
        return cropDetail(photoFile, file, cutOut, pose, size, false);
      case 'print': {
        const print = printPhoto(photo);
        const ground = await drawPoseGround(pose.ground, size, meanColour(print), 'wall');
        return encodeJpeg(await composePicture(ground, await placeSprite(print, pose.layout, size)));
      }
    }
  };
  return planUncutPoses(file, segmentation.subjectBox).map((pose) => () => make(pose));
}

/** Region of a figure, below the head and above the knees, in which a detail of the cloth is searched. */
const TRUNK = { top: 0.3, bottom: 0.72 };

function cropDetail(
  photoFile: Buffer,
  file: FrameSize,
  { photo, segmentation }: CutOut,
  { sourceWidth }: DetailPose,
  size: FrameSize,
  isPerson: boolean,
): Promise<Buffer> {
  const { subjectBox: box, verdict, width, height } = segmentation;
  const tall = box.bottom - box.top;
  const within = isPerson ? { ...box, top: box.top + tall * TRUNK.top, bottom: box.top + tall * TRUNK.bottom } : box;
  const mask = verdict.isTrusted ? segmentation.mask : maskOfBox(width, height, box);
  const corner = findDetailWindow(photo, { width, height, data: mask }, within, sourceWidth / file.width);
  return cropPhoto(photoFile, corner, sourceWidth, size);
}

function maskOfBox(width: number, height: number, box: Box): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (let y = Math.floor(box.top * height); y < box.bottom * height; y++) {
    mask.fill(255, y * width + Math.floor(box.left * width), y * width + Math.floor(box.right * width));
  }
  return mask;
}

/** The photo as a print: a sprite of the photo's size with a white paper margin drawn over its rim. */
function printPhoto({ width, height, data }: RgbImage): Sprite {
  const margin = Math.round(width * PRINT_MARGIN_SHARE);
  const print = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isPaper = Math.min(x, y, width - 1 - x, height - 1 - y) < margin;
      const at = (y * width + x) * 3;
      for (let c = 0; c < 3; c++) print[(y * width + x) * 4 + c] = isPaper ? PAPER : data[at + c]!;
    }
  }
  return { width, height, data: print, cut: { left: false, top: false, right: false, bottom: false } };
}
