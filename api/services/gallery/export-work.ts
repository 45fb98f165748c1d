import sharp from 'sharp';
import type { PicturePlan } from '#shared/rules/packs.ts';

const JPEG_QUALITY = 92;
/** Tried in this order until the file is small enough. */
const RECOMPRESS_QUALITIES = [88, 80, 70, 60];
const BORDER_GRID = 48;

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Margins {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function crop({ original, part }: { original: string; part: Part }): Promise<Buffer> {
  return sharp(original).flatten({ background: '#ffffff' }).extract(part).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

export async function pad({ original, margins }: { original: string; margins: Margins }): Promise<Buffer> {
  const background = await findBorderColour({ picture: original, borders: margins.left > 0 ? 'sides' : 'ends' });
  return sharp(original)
    .flatten({ background: '#ffffff' })
    .extend({ ...margins, background })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

/** Null when the file is too large even in the lowest quality. */
export async function recompress({
  original,
  maxBytes,
}: {
  original: string;
  maxBytes: number;
}): Promise<Buffer | null> {
  for (const quality of RECOMPRESS_QUALITIES) {
    const jpeg = await sharp(original).flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer();
    if (jpeg.length <= maxBytes) return jpeg;
  }
  return null;
}

/** The mean colour, `#rrggbb`, of two borders. Margins in this colour continue a plain background. */
export async function findBorderColour({
  picture,
  borders,
}: {
  picture: string | Buffer;
  borders: 'sides' | 'ends';
}): Promise<string> {
  const pixels = await sharp(picture)
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .resize(BORDER_GRID, BORDER_GRID, { fit: 'fill' })
    .raw()
    .toBuffer();
  const sums = [0, 0, 0];
  for (let index = 0; index < BORDER_GRID; index++) {
    for (const edge of [0, BORDER_GRID - 1]) {
      const at = 3 * (borders === 'sides' ? index * BORDER_GRID + edge : edge * BORDER_GRID + index);
      for (const channel of [0, 1, 2]) sums[channel] = (sums[channel] ?? 0) + (pixels[at + channel] ?? 0);
    }
  }
  const mean = (sum: number) => Math.round(sum / (2 * BORDER_GRID)).toString(16);
  return `#${sums.map((sum) => mean(sum).padStart(2, '0')).join('')}`;
}

/**
 * A picture as a JPEG in sRGB: a part of it, or with margins, and in another size. Null when it is too large even in the
 * lowest quality.
 */
export async function adapt({
  original,
  plan: { crop: part, pad: margins, resize, maxBytes },
}: {
  original: string;
  plan: PicturePlan;
}): Promise<Buffer | null> {
  const background =
    margins && (await findBorderColour({ picture: original, borders: margins.left > 0 ? 'sides' : 'ends' }));
  let picture = sharp(original).flatten({ background: '#ffffff' }).toColourspace('srgb');
  if (part) picture = picture.extract(part);
  if (margins) picture = picture.extend({ ...margins, background: background ?? '#ffffff' });
  // Margins are added after resizing within one pipeline of sharp, so what has margins is resized in another one.
  const drawn = await picture.png({ compressionLevel: 1 }).toBuffer();
  const sized = resize ? sharp(drawn).resize(resize.width, resize.height, { fit: 'fill' }) : sharp(drawn);
  for (const quality of [JPEG_QUALITY, ...RECOMPRESS_QUALITIES]) {
    const jpeg = await sized.clone().jpeg({ quality }).toBuffer();
    if (maxBytes === null || jpeg.length <= maxBytes) return jpeg;
  }
  return null;
}
