import sharp, { type Sharp } from 'sharp';

export interface FrameSize {
  width: number;
  height: number;
}

/** Subject and ground, separated so exactly that drawing one over the other gives the photo again. */
export interface Matte {
  width: number;
  height: number;
  /** 0 to 255. */
  alpha: Uint8Array;
  /** Colours of the subject without the ground's share, three bytes per pixel. Undefined where alpha is 0. */
  foreground: Uint8Array;
  /** The photo with the subject replaced by the surrounding ground. */
  ground: Uint8Array;
}

/** Eight-bit RGB, three bytes per pixel, row by row. */
export interface RgbImage {
  width: number;
  height: number;
  data: Uint8Array;
}

/** One number per pixel. */
export interface Plane<Data extends Uint8Array | Float32Array = Float32Array> {
  width: number;
  height: number;
  data: Data;
}

/** For sharp: a larger picture is refused, one with a small flaw is not. */
export const INPUT = { limitInputPixels: 60_000_000, failOn: 'error' } as const;

/** Opens a JPEG, PNG or WebP file upright, in sRGB, with white for transparency. */
export function openPhoto(file: Buffer): Sharp {
  return sharp(file, INPUT).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
}

/** Decodes a photo whose longer side becomes `maxSide`, if it is not shorter. */
export async function decodePhoto(file: Buffer, maxSide: number): Promise<RgbImage> {
  const { data, info } = await openPhoto(file)
    .resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

/** Decodes a grey picture and scales it to a size. */
export async function decodePlane(file: Buffer, { width, height }: FrameSize): Promise<Plane<Uint8Array>> {
  const data = await sharp(file, INPUT).resize(width, height, { fit: 'fill' }).toColourspace('b-w').raw().toBuffer();
  return { width, height, data };
}

export async function resizeRgb(image: RgbImage, width: number, height: number): Promise<RgbImage> {
  if (image.width === width && image.height === height) return image;
  const data = await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .resize(width, height, { fit: 'fill', kernel: 'lanczos3' })
    .raw()
    .toBuffer();
  return { width, height, data };
}

/** Scales one plane of bytes smoothly. Used for masks, where a ramp between 0 and 255 is wanted. */
export async function resizePlane(
  plane: Plane<Uint8Array>,
  width: number,
  height: number,
  blurSigma = 0,
): Promise<Plane<Uint8Array>> {
  const scaled = sharp(plane.data, { raw: { width: plane.width, height: plane.height, channels: 1 } })
    .resize(width, height, { fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w');
  const data = await (blurSigma >= 0.3 ? scaled.blur(blurSigma) : scaled).raw().toBuffer();
  return { width, height, data };
}

/** For loops over pixels. Math.hypot takes ten times as long, because it guards against overflow. */
export const vectorLength = (x: number, y: number) => Math.sqrt(x * x + y * y);

/** Mean over a square window of (2 radius + 1) pixels, cut at the borders. The cost does not depend on the radius. */
export function boxBlur({ width, height, data }: Plane<Uint8Array | Float32Array>, radius: number): Plane {
  // Code that reads two kinds of arrays takes twice as long.
  const values = data instanceof Float32Array ? data : new Float32Array(data);
  const across = new Float32Array(width * height);
  const out = new Float32Array(width * height);
  const outside = new Float32Array(width);
  const rowOf = (plane: Float32Array, y: number) =>
    y >= 0 && y < height ? plane.subarray(y * width, (y + 1) * width) : outside;
  for (let y = 0; y < height; y++) blurRow(rowOf(values, y), rowOf(across, y), radius);
  const sums = new Float64Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) {
    const row = rowOf(across, y);
    for (let x = 0; x < width; x++) sums[x]! += row[x]!;
  }
  for (let y = 0; y < height; y++) {
    const count = Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1;
    moveWindow(sums, rowOf(across, y + radius), rowOf(across, y - radius - 1), count, rowOf(out, y));
  }
  return { width, height, data: out };
}

// Called for each row, as is the next one, because V8 switches to optimised code mainly between calls.
function blurRow(row: Float32Array, out: Float32Array, radius: number): void {
  const width = row.length;
  let sum = 0;
  let count = 0;
  for (; count < Math.min(radius, width); count++) sum += row[count]!;
  for (let x = 0; x < width; x++) {
    if (x + radius < width) {
      sum += row[x + radius]!;
      count++;
    }
    if (x > radius) {
      sum -= row[x - radius - 1]!;
      count--;
    }
    out[x] = sum / count;
  }
}

/** Moves a window of `count` rows down by a row, and writes its means. */
function moveWindow(
  sums: Float64Array,
  entering: Float32Array,
  leaving: Float32Array,
  count: number,
  out: Float32Array,
): void {
  for (let x = 0; x < sums.length; x++) {
    const sum = sums[x]! + entering[x]! - leaving[x]!;
    sums[x] = sum;
    out[x] = sum / count;
  }
}

/** Interpolated value between four pixels. Outside the plane the border pixel is repeated. */
export function sampleBilinear(
  { width, height, data }: Plane<Uint8Array | Float32Array>,
  x: number,
  y: number,
): number {
  const cx = Math.min(Math.max(x, 0), width - 1.001);
  const cy = Math.min(Math.max(y, 0), height - 1.001);
  const left = cx | 0;
  const top = cy | 0;
  const at = top * width + left;
  const fx = cx - left;
  const upper = data[at]! + (data[at + 1]! - data[at]!) * fx;
  const lower = data[at + width]! + (data[at + width + 1]! - data[at + width]!) * fx;
  return upper + (lower - upper) * (cy - top);
}

/** Decodes a picture so that it covers a frame. The excess is cut off evenly. */
export async function decodeCovering(file: Buffer, { width, height }: FrameSize): Promise<RgbImage> {
  const data = await openPhoto(file).resize(width, height, { fit: 'cover', kernel: 'lanczos3' }).raw().toBuffer();
  return { width, height, data };
}
