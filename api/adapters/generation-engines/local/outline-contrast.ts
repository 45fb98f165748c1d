import type { Matte } from './matting.ts';
import type { RgbImage } from './pixel-image.ts';

/** How far inside the outline the subject's own colour is looked for, as a share of the photo's longer side. */
const INWARD_SHARE = 1 / 160;
/** Difference of subject and ground, in levels (root mean square of the channels), below which an edge hardly shows. */
const FAINT_LEVELS = 20;
/** Share of the outline that may be faint: more, and the thing dissolves as soon as it moves apart from its ground. */
const MOST_FAINT = 0.2;

/** Share of the outline along which the subject's colour is hardly another than the ground's: white cloth on light grey. */
export function measureFaintShare({ data }: RgbImage, { width, height, alpha, ground }: Matte): number {
  const inward = Math.max(2, Math.round(Math.max(width, height) * INWARD_SHARE));
  let points = 0;
  let faint = 0;
  for (let y = inward; y < height - inward; y++) {
    for (let x = inward; x < width - inward; x++) {
      const pixel = y * width + x;
      if (alpha[pixel]! < 128) continue;
      const isInside = [pixel - 1, pixel + 1, pixel - width, pixel + width].every((beside) => alpha[beside]! >= 128);
      if (isInside) continue;
      const across = alpha[pixel + inward]! - alpha[pixel - inward]!;
      const down = alpha[pixel + inward * width]! - alpha[pixel - inward * width]!;
      const length = Math.hypot(across, down);
      if (length === 0) continue;
      const cloth = pixel + Math.round((down / length) * inward) * width + Math.round((across / length) * inward);
      let squares = 0;
      for (let c = 0; c < 3; c++) squares += (data[cloth * 3 + c]! - ground[pixel * 3 + c]!) ** 2;
      points++;
      if (Math.sqrt(squares / 3) < FAINT_LEVELS) faint++;
    }
  }
  return points ? faint / points : 1;
}

/** Whether the outline shows well enough to move the subject apart from its ground, and not with it. */
export function isOutlineFaint(faintShare: number): boolean {
  return faintShare > MOST_FAINT;
}
