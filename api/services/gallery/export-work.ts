import sharp from 'sharp';
import type { PicturePlan } from '#shared/rules/packs.ts';

/** Tried in this order until the file is small enough. */
const JPEG_QUALITIES = [92, 88, 80, 70, 60];
const BORDER_GRID = 48;

/** One thread per picture and no cache, because the machine also answers requests. */
sharp.concurrency(1);
sharp.cache(false);

/**
 * A picture as a JPEG in sRGB: a part of it, or with margins, and in another size. Null when it is too large even in the
 * lowest quality.
 */
export async function adapt({ original, plan }: { original: string; plan: PicturePlan }): Promise<Buffer | null> {
  const { crop, pad, resize, maxBytes } = plan;
  let picture = sharp(original).flatten({ background: '#ffffff' }).toColourspace('srgb');
  if (crop) picture = picture.extract(crop);
  if (pad) {
    const background = await findBorderColour({ picture: original, borders: pad.left > 0 ? 'sides' : 'ends' });
    picture = picture.extend({ ...pad, background });
    // Within one pipeline, margins are added after resizing.
    if (resize) picture = sharp(await picture.png({ compressionLevel: 1 }).toBuffer());
  }
  if (resize) picture = picture.resize(resize.width, resize.height, { fit: 'fill' });
  for (const quality of JPEG_QUALITIES) {
    const jpeg = await picture.clone().jpeg({ quality }).toBuffer();
    if (maxBytes === null || jpeg.length <= maxBytes) return jpeg;
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
