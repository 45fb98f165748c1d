import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { createNodeAvEncoder } from '#api/adapters/video-encoder/node-av-encoder.ts';

/** Results of fake generative models. They are real files, made from the pictures that the model got. */

const FRAMES_PER_SECOND = 24;
/** Small, because every test encodes some. The product accepts any size. */
const VIDEO_WIDTH = 360;

export interface PictureRequest {
  /** What the model was told. Different words give different pictures. */
  prompt: string;
  width: number;
  height: number;
  format: 'jpeg' | 'png' | 'webp';
}

const encoder = createNodeAvEncoder();
/** No caller changes the bytes, so each result is made once in a process. */
const made = new Map<string, Promise<Buffer>>();

/**
 * Draws a picture from the product's photo, the pictures of a person and of a scene: the scene behind, the product in
 * front, the person in a corner, all turned by an angle that follows from the words. Without pictures it is one colour,
 * which follows from the words, too.
 */
export function drawFakePicture(pictures: readonly Buffer[], request: PictureRequest): Promise<Buffer> {
  return remember([...pictures, JSON.stringify(request)], async () => {
    const { prompt, width, height, format } = request;
    const [product, ...others] = pictures;
    const [first = 0, second = 0, third = 0] = createHash('sha256').update(prompt).digest();
    if (!product) {
      const background = { r: first, g: second, b: third };
      return sharp({ create: { width, height, channels: 3, background } })
        .toFormat(format)
        .toBuffer();
    }
    const angle = first / 64 - 2;
    const scene = others.at(-1) ?? product;
    const inset = await sharp(product)
      .resize(Math.round(width * 0.8), Math.round(height * 0.8), { fit: 'inside' })
      .rotate(angle, { background: '#00000000' })
      .resize(width, height, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
    const corners = await Promise.all(
      others.slice(0, 1).map((user) =>
        sharp(user)
          .resize(Math.round(width / 5))
          .toBuffer(),
      ),
    );
    return sharp(scene)
      .resize(width, height, { fit: 'cover' })
      .blur(4)
      .composite([{ input: inset }, ...corners.map((input) => ({ input, gravity: 'southeast' }))])
      .toFormat(format)
      .toBuffer();
  });
}

/** A video that begins with the picture itself and then sways. H.264 with the picture's ratio. */
export function encodeFakeVideo(picture: Buffer, seconds: number): Promise<Buffer> {
  return remember([picture, `${seconds} s`], async () => {
    const { width, height } = await sharp(picture).metadata();
    const size = { width: VIDEO_WIDTH, height: Math.round((VIDEO_WIDTH * height) / width / 2) * 2 };
    const { data } = await sharp(picture)
      .resize(size.width, size.height, { fit: 'fill' })
      .removeAlpha()
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const still = toPlanarYuv(data, size);
    const outputPath = path.join(tmpdir(), `podium-${randomUUID()}.mp4`);
    await encoder.encode({
      ...size,
      framesPerSecond: FRAMES_PER_SECOND,
      frames: sway(still, size, seconds),
      outputPath,
    });
    const content = await readFile(outputPath);
    await rm(outputPath);
    return content;
  });
}

interface Size {
  width: number;
  height: number;
}

async function* sway(still: Uint8Array, { width, height }: Size, seconds: number): AsyncGenerator<Uint8Array> {
  const frames = FRAMES_PER_SECOND * seconds;
  for (let index = 0; index < frames; index++) {
    const shift = Math.round((Math.sin((index / frames) * 2 * Math.PI) * width) / 80) * 2;
    const frame = new Uint8Array(still.length);
    shiftPlane(still, frame, 0, { width, height }, shift);
    for (const plane of [0, 1]) {
      const start = width * height + (plane * width * height) / 4;
      shiftPlane(still, frame, start, { width: width / 2, height: height / 2 }, shift / 2);
    }
    yield frame;
  }
}

function shiftPlane(from: Uint8Array, to: Uint8Array, start: number, { width, height }: Size, shift: number): void {
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const source = Math.min(width - 1, Math.max(0, x + shift));
      to[start + y * width + x] = from[start + y * width + source] ?? 0;
    }
  }
}

/** BT.709 in limited range, 4:2:0. */
function toPlanarYuv(rgb: Uint8Array, { width, height }: Size): Uint8Array {
  const yuv = new Uint8Array((width * height * 3) / 2);
  const chroma = width * height;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [rgb[at] ?? 0, rgb[at + 1] ?? 0, rgb[at + 2] ?? 0];
      yuv[y * width + x] = 16 + 0.1826 * r + 0.6142 * g + 0.062 * b;
      if (x % 2 || y % 2) continue;
      const half = (y / 2) * (width / 2) + x / 2;
      yuv[chroma + half] = 128 - 0.1006 * r - 0.3386 * g + 0.4392 * b;
      yuv[chroma + chroma / 4 + half] = 128 + 0.4392 * r - 0.3989 * g - 0.0403 * b;
    }
  }
  return yuv;
}

function remember(parts: readonly (Buffer | string)[], make: () => Promise<Buffer>): Promise<Buffer> {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  const key = hash.digest('hex');
  const result = made.get(key) ?? make();
  made.set(key, result);
  return result;
}
