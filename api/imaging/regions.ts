/** Whether a pixel beside, above or below fits. */
export function hasNeighbour(
  pixel: number,
  width: number,
  height: number,
  fits: (neighbour: number) => boolean,
): boolean {
  const x = pixel % width;
  return (
    (x > 0 && fits(pixel - 1)) ||
    (x < width - 1 && fits(pixel + 1)) ||
    (pixel >= width && fits(pixel - width)) ||
    (pixel < width * (height - 1) && fits(pixel + width))
  );
}

export function isAtBorder(pixel: number, width: number, height: number): boolean {
  const x = pixel % width;
  return x === 0 || x === width - 1 || pixel < width || pixel >= width * (height - 1);
}

/** Calls `visit` with the pixels of every connected region where `isInside` is true. */
export function forEachRegion(
  width: number,
  height: number,
  isInside: (pixel: number) => boolean,
  visit: (pixels: number[]) => void,
): void {
  const seen = new Uint8Array(width * height);
  for (let start = 0; start < seen.length; start++) {
    if (seen[start] || !isInside(start)) continue;
    visit(grow(width, height, seen, start, isInside));
  }
}

/** Lists the pixels where `mayEnter` is true that are connected with one where `isStart` is true, too. */
export function spread(
  width: number,
  height: number,
  isStart: (pixel: number) => boolean,
  mayEnter: (pixel: number) => boolean,
): number[] {
  const seen = new Uint8Array(width * height);
  const reached: number[] = [];
  for (let pixel = 0; pixel < seen.length; pixel++) {
    if (seen[pixel] || !isStart(pixel) || !mayEnter(pixel)) continue;
    for (const inside of grow(width, height, seen, pixel, mayEnter)) reached.push(inside);
  }
  return reached;
}

/** The region of a pixel. Marks its pixels as seen. */
function grow(
  width: number,
  height: number,
  seen: Uint8Array,
  start: number,
  isInside: (pixel: number) => boolean,
): number[] {
  const region = [start];
  const reach = (pixel: number) => {
    if (seen[pixel] || !isInside(pixel)) return;
    seen[pixel] = 1;
    region.push(pixel);
  };
  seen[start] = 1;
  for (let next = 0; next < region.length; next++) {
    const pixel = region[next]!;
    const x = pixel % width;
    if (x > 0) reach(pixel - 1);
    if (x < width - 1) reach(pixel + 1);
    if (pixel >= width) reach(pixel - width);
    if (pixel < width * (height - 1)) reach(pixel + width);
  }
  return region;
}

/** Drops pieces of a mask that are smaller than this share of the largest. */
export function keepLargePieces(mask: Uint8Array, width: number, height: number, share: number): void {
  const pieces: number[][] = [];
  forEachRegion(
    width,
    height,
    (pixel) => mask[pixel] !== 0,
    (piece) => pieces.push(piece),
  );
  const largest = pieces.reduce((most, { length }) => Math.max(most, length), 0);
  for (const piece of pieces) if (piece.length < largest * share) for (const pixel of piece) mask[pixel] = 0;
}

/** Bounds of the pixels where `isInside` is true. `right` and `bottom` are not included. Null without any. */
export function boundsOf(width: number, height: number, isInside: (pixel: number) => boolean) {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!isInside(y * width + x)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y + 1);
    }
  }
  return right > left ? { left, top, right, bottom } : null;
}
