import { boxBlur, type RgbImage } from './pixel-image.ts';
import { forEachRegion } from './regions.ts';

/** A region with fewer pixels at the outline is a print that touches it. */
const LEAST_SKIN_OUTLINE = 24;

/**
 * Finds the pixels of the mask that may be hands and arms, and their share of the mask. They have a colour that skin
 * has in some light and belong to a region that reaches the outline. A print of that colour lies inside the cloth.
 */
export function findSkin(mask: Uint8Array, { width, height, data }: RgbImage): { isSkin: Uint8Array; share: number } {
  const isSkin = new Uint8Array(mask.length);
  let [skin, all] = [0, 0];
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (!mask[pixel]) continue;
    all++;
    if (isSkinColour(data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!)) isSkin[pixel] = 1;
  }
  const open = boxBlur({ width, height, data: mask }, 3).data;
  forEachRegion(
    width,
    height,
    (pixel) => isSkin[pixel] !== 0,
    (region) => {
      const outline = region.reduce((sum, pixel) => sum + (open[pixel]! < 255 ? 1 : 0), 0);
      if (outline >= LEAST_SKIN_OUTLINE) skin += region.length;
      else for (const pixel of region) isSkin[pixel] = 0;
    },
  );
  return { isSkin, share: skin / Math.max(1, all) };
}

/** Whether skin has this colour in some light. Levels from 0 to 255. */
export function isSkinColour(red: number, green: number, blue: number): boolean {
  const span = red - blue;
  if (red <= green || green <= blue || red < 50 || span < red * 0.14 || span > red * 0.72) return false;
  const hue = (green - blue) / span;
  return hue >= 0.12 && hue <= 0.72;
}
