import { CLEARLY_OTHER, compareWithGroundAround, DIRECTIONS } from './ground-around.ts';
import type { RgbImage } from './pixel-image.ts';
import { forEachRegion } from './regions.ts';

/** Limits of a gap's end, in pixels. It is closed at its far end. A region less deep than `leastDepth` is noise. */
const TIP = {
  width: 14,
  depth: 44,
  leastDepth: 5,
  longDepth: 8,
  areaShare: 0.0008,
  furthest: 45,
  contrast: 4,
  bank: 4,
};
const RIM_PIXELS = 2;
/** More long tips than limbs and fingers make are a pattern in the ground's colour. */
const MOST_TIPS = 12;

/**
 * Opens the pointed ends of gaps in the mask, for example between legs or beside a sleeve. They are too narrow to show
 * the pure colour of the ground, so what stands on both sides identifies them.
 */
export function openTips(mask: Uint8Array, image: RgbImage, shadow: Uint8Array | null): void {
  const { width, height } = image;
  const pixels = width * height;
  const view = compareWithGroundAround(mask, image, shadow);
  const steps = new Uint8Array(pixels);
  let front: number[] = [];
  const isAtBorder = (pixel: number) =>
    pixel < width || pixel >= pixels - width || pixel % width === 0 || pixel % width === width - 1;
  const isTip = (pixel: number) =>
    !isAtBorder(pixel) &&
    mask[pixel] !== 0 &&
    steps[pixel] === 0 &&
    view.distance[pixel]! < TIP.furthest &&
    isBetweenBanks(pixel);
  const neighboursOf = (pixel: number) => [pixel - 1, pixel + 1, pixel - width, pixel + width];
  for (let pixel = 0; pixel < pixels; pixel++) {
    if (!mask[pixel]) continue;
    const isOutline =
      mask[pixel - 1] === 0 || mask[pixel + 1] === 0 || mask[pixel - width] === 0 || mask[pixel + width] === 0;
    if (isOutline && isTip(pixel)) front.push(pixel);
  }
  for (const pixel of front) steps[pixel] = 1;
  for (let step = 2; step <= TIP.depth && front.length > 0; step++) {
    const next: number[] = [];
    for (const pixel of front) {
      for (const neighbour of neighboursOf(pixel)) {
        if (!isTip(neighbour)) continue;
        steps[neighbour] = step;
        next.push(neighbour);
      }
    }
    front = next;
  }
  // A rim of a pixel or two along the outline is not a gap. The matte handles it.
  const isDeep = (pixel: number) => steps[pixel]! > RIM_PIXELS;
  const tips: { region: number[]; depth: number }[] = [];
  forEachRegion(width, height, isDeep, (region) => {
    // A region that continues at full width is a stripe of the cloth.
    const depth = region.reduce((most, pixel) => Math.max(most, steps[pixel]!), 0);
    if (depth < TIP.leastDepth || depth === TIP.depth || region.length > pixels * TIP.areaShare) return;
    tips.push({ region, depth });
  });
  if (tips.filter(({ depth }) => depth > TIP.longDepth).length > MOST_TIPS) return;
  for (const pixel of tips.flatMap(({ region }) => region)) {
    for (let dy = -RIM_PIXELS; dy <= RIM_PIXELS; dy++)
      for (let dx = -RIM_PIXELS; dx <= RIM_PIXELS; dx++)
        if (steps[pixel + dy * width + dx]) mask[pixel + dy * width + dx] = 0;
  }

  /**
   * Whether something clearly different stands on both sides within the width of a tip, in any of four directions. A
   * narrow tip mixes with its banks and lies in their shade, so it may differ more from the ground where its banks do.
   * A fold of pale cloth is a dark line with pale cloth behind it, which is not a bank.
   */
  function isBetweenBanks(pixel: number): boolean {
    const needed = Math.max(CLEARLY_OTHER, view.distance[pixel]! * TIP.contrast);
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const isBank = (reach: number, dx: number, dy: number) => {
      const [px, py] = [x + reach * dx, y + reach * dy];
      if (px < 0 || py < 0 || px >= width || py >= height) return false;
      const place = py * width + px;
      return mask[place] !== 0 && view.distance[place]! > needed;
    };
    return DIRECTIONS.some(([dx, dy]) => {
      let across = 0;
      for (const sign of [1, -1]) {
        let reach = 1;
        for (; across + reach <= TIP.width; reach++) {
          if (isBank(sign * reach, dx, dy) && isBank(sign * (reach + TIP.bank), dx, dy)) break;
        }
        across += reach;
        if (across > TIP.width) return false;
      }
      return true;
    });
  }
}
