import { boxBlur, type Plane, type RgbImage } from '#api/imaging/pixel-image.ts';
import type { Box } from '#api/imaging/segmentation.ts';

const STEP = 4;
/** Upper limit of a contrast. Cloth has many small contrasts; the rim of a print has one large one. */
const MOST_CONTRAST = 60;

/**
 * Finds the 3:4 window with the most texture on the subject. `widthShare`: its width as a share of the photo's. `mask`
 * has the photo's proportions, 255 for subject. `within` limits the search. Returns shares of the photo.
 */
export function findDetailWindow(
  { width, height, data }: RgbImage,
  mask: Plane<Uint8Array>,
  within: Box,
  widthShare: number,
): Box {
  const across = Math.floor(width / STEP);
  const down = Math.floor(height / STEP);
  const texture = new Float32Array(across * down);
  const inside = new Float32Array(across * down);
  const luma = (pixel: number) => data[pixel * 3]! + data[pixel * 3 + 1]! + data[pixel * 3 + 2]!;
  for (let y = 1; y < down - 1; y++) {
    for (let x = 1; x < across - 1; x++) {
      const maskRow = Math.min(mask.height - 1, Math.floor(((y + 0.5) / down) * mask.height));
      if (!mask.data[maskRow * mask.width + Math.min(mask.width - 1, Math.floor(((x + 0.5) / across) * mask.width))]) {
        continue;
      }
      const at = y * STEP * width + x * STEP;
      const contrast = Math.abs(luma(at + 2) - luma(at)) + Math.abs(luma(at + 2 * width) - luma(at));
      texture[y * across + x] = Math.min(MOST_CONTRAST, contrast / 3);
      inside[y * across + x] = 1;
    }
  }
  const halfWidth = Math.max(2, Math.min((across - 2) / 2, (across * widthShare) / 2, ((down - 2) * 3) / 8));
  const halfHeight = (halfWidth * 4) / 3;
  // A square window is accurate enough to find the position.
  const radius = Math.round((halfWidth + halfHeight) / 2);
  const textures = boxBlur({ width: across, height: down, data: texture }, radius).data;
  const covers = boxBlur({ width: across, height: down, data: inside }, radius).data;
  const from = { x: Math.max(halfWidth, within.left * across), y: Math.max(halfHeight, within.top * down) };
  const to = {
    x: Math.min(across - halfWidth, within.right * across),
    y: Math.min(down - halfHeight, within.bottom * down),
  };
  let best = { score: -1, x: Math.min(Math.max(across / 2, from.x), Math.max(from.x, to.x)), y: (from.y + to.y) / 2 };
  for (let y = Math.ceil(from.y); y <= to.y; y++) {
    for (let x = Math.ceil(from.x); x <= to.x; x++) {
      const place = Math.min(down - 1, y) * across + Math.min(across - 1, x);
      // A window that also shows ground scores low, however busy its rim.
      const score = (textures[place]! + 2) * covers[place]! ** 8;
      if (score > best.score) best = { score, x, y };
    }
  }
  const left = Math.min(1 - (2 * halfWidth) / across, Math.max(0, (best.x - halfWidth) / across));
  const top = Math.min(1 - (2 * halfHeight) / down, Math.max(0, (best.y - halfHeight) / down));
  return { left, top, right: left + (2 * halfWidth) / across, bottom: top + (2 * halfHeight) / down };
}
