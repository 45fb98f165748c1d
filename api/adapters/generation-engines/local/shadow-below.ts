import type { CutOut } from './cut-out-subject.ts';

/** Difference in brightness, as a share, from which the ground under a product is in its shadow. */
const SHADOWED = 0.07;

/**
 * Whether the photo shows a shadow at the foot of the subject and none next to its middle, so that it stands on
 * something. False when the subject reaches the lower border.
 */
export function showsShadowBelow({ photo, segmentation }: Pick<CutOut, 'photo' | 'segmentation'>): boolean {
  const { width, height, mask, subjectBox: box } = segmentation;
  const tall = (box.bottom - box.top) * height;
  const reach = Math.max(2, Math.round(tall * 0.02));
  if (box.bottom * height + 2 * reach >= height - 1) return false;
  const luma = (x: number, y: number) => {
    const px = Math.min(photo.width - 1, Math.round((x / width) * photo.width));
    const py = Math.min(photo.height - 1, Math.round((y / height) * photo.height));
    const at = (py * photo.width + px) * 3;
    return photo.data[at]! + photo.data[at + 1]! + photo.data[at + 2]!;
  };
  const below: number[] = [];
  const lowest = Math.round(box.bottom * height) - 1;
  for (let x = Math.round(box.left * width); x < box.right * width; x++) {
    for (let y = lowest; y > lowest - tall * 0.06; y--) {
      if (!mask[y * width + x]) continue;
      below.push(luma(x, y + reach) / groundLuma(y + reach));
      break;
    }
  }
  const beside: number[] = [];
  for (let y = Math.round((box.top + 0.4 * (box.bottom - box.top)) * height); y < box.bottom * height - tall / 3; y++) {
    const row = mask.subarray(y * width, (y + 1) * width);
    const [first, last] = [row.indexOf(255), row.lastIndexOf(255)];
    if (first > 2 * reach) beside.push(luma(first - reach, y) / groundLuma(y));
    if (last >= 0 && last < width - 2 * reach) beside.push(luma(last + reach, y) / groundLuma(y));
  }
  return median(below) < 1 - SHADOWED && median(beside) > 1 - SHADOWED / 2;

  /** Luma of the clear ground at both borders of the photo, in the same row. */
  function groundLuma(y: number): number {
    return Math.max(1, (luma(width * 0.02, y) + luma(width * 0.98, y)) / 2);
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? 1;
}
