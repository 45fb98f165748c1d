import type { PlacedSprite } from './compose-picture.ts';
import type { Matte } from './matting.ts';
import { decodeWindow } from './picture-file.ts';
import type { FrameSize } from './scene.ts';
import { boundsOf, placeSprite, type Sprite, spriteOf } from './sprite.ts';
import type { Layout } from './subject-layout.ts';

/** A subject apart from its ground, which remembers the photo it comes from. */
export interface Subject {
  sprite: Sprite;
  /** As many pixels as the photo's file has for it, which may be more than it was cut out at. */
  inFile: Pick<Sprite, 'width' | 'height' | 'cut'>;
  /** Brings it to its size and place, with all the pixels that the file has. */
  place: (layout: Layout, frame: FrameSize) => Promise<PlacedSprite>;
}

/** Takes the subject out of its matte. `file` is the size of the upright photo. */
export function takeSubject(photoFile: Buffer, file: FrameSize, matte: Matte): Subject {
  const sprite = spriteOf(matte);
  const { left, top, right, bottom } = boundsOf(matte);
  const box = {
    ...{ left: left / matte.width, right: right / matte.width },
    ...{ top: top / matte.height, bottom: bottom / matte.height },
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

/** Alpha from which a pixel shows the subject alone; below it the photo's colour has ground in it. */
const PURE = 235;

/** Gives an enlarged sprite the photo's own pixels; its rim stays as it was solved. */
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
