import { decodeWindow } from '#api/imaging/picture-file.ts';
import type { FrameSize, Matte } from '#api/imaging/pixel-image.ts';
import { type PlacedSprite, placeSprite } from './compose-picture.ts';
import { boundsOfMatte, type Sprite, spriteOf } from './sprite.ts';
import type { Layout } from './subject-layout.ts';

/** A cut-out subject that can be placed with the full resolution of its photo. */
export interface Subject {
  sprite: Sprite;
  /** Its size in the photo's file, which may be larger than the size at which it was cut out. */
  inFile: Pick<Sprite, 'width' | 'height' | 'cut'>;
  /** Scales and places it, using all pixels of the file. */
  place: (layout: Layout, frame: FrameSize) => Promise<PlacedSprite>;
}

/** `file`: size of the upright photo. */
export function takeSubject(photoFile: Buffer, file: FrameSize, matte: Matte): Subject {
  const sprite = spriteOf(matte);
  const { left, top, right, bottom } = boundsOfMatte(matte);
  const box = {
    left: left / matte.width,
    right: right / matte.width,
    top: top / matte.height,
    bottom: bottom / matte.height,
  };
  const scale = file.width / matte.width;
  return {
    sprite,
    inFile: { width: sprite.width * scale, height: sprite.height * scale, cut: sprite.cut },
    place: async (layout, frame) => {
      const placed = await placeSprite(sprite, layout, frame);
      const { width } = placed.sprite;
      if (scale <= 1 || width <= sprite.width) return placed;
      return { ...placed, sprite: restoreDetail(placed.sprite, await decodeWindow(photoFile, box, placed.sprite)) };
    },
  };
}

/** Alpha from which a pixel shows only the subject. Below it, the photo's colour contains ground. */
const PURE = 235;

/** Replaces the colours of an enlarged sprite by the photo's own pixels. The rim stays as the matting computed it. */
function restoreDetail(sprite: Sprite, photo: { data: Uint8Array }): Sprite {
  const data = new Uint8Array(sprite.data);
  for (let pixel = 0; pixel < sprite.width * sprite.height; pixel++) {
    const at = pixel * 4;
    const share = (data[at + 3]! - PURE) / (255 - PURE);
    if (share <= 0) continue;
    for (let c = 0; c < 3; c++) data[at + c]! += (photo.data[pixel * 3 + c]! - data[at + c]!) * share + 0.5;
  }
  return { ...sprite, data };
}
