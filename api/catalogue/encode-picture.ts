// Also a command: node api/catalogue/encode-picture.ts photo.jpg <folder>/woman/w16
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const PORTRAIT = { width: 600, height: 800 };
const BACKGROUND = { width: 1080, height: 1440 };

/**
 * Makes the two files of a catalogue picture, `<target>.webp` and `<target>.avif`, and their folder. The folder's name
 * decides the size: portraits 600x800, backgrounds 1080x1440. The excess is cut off around the middle. `source`: a
 * file or its content. Throws when it is not a picture.
 */
export async function encodePicture(
  source: string | Buffer,
  target: string,
): Promise<{ width: number; height: number }> {
  const size = path.basename(path.dirname(target)) === 'backgrounds' ? BACKGROUND : PORTRAIT;
  const picture = sharp(source).autoOrient().resize(size).flatten({ background: '#ffffff' }).toColourspace('srgb');
  const [webp, avif] = await Promise.all([
    picture.clone().webp({ quality: 86, effort: 6 }).toBuffer(),
    picture.clone().avif({ quality: 58, effort: 6 }).toBuffer(),
  ]);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(`${target}.webp`, webp);
  await writeFile(`${target}.avif`, avif);
  return size;
}

if (import.meta.main) {
  const [source, target] = process.argv.slice(2);
  if (!source || !target) {
    console.error('Usage: node api/catalogue/encode-picture.ts <picture> <folder>/(woman|man|backgrounds)/<id>');
    process.exit(1);
  }
  const { width, height } = await encodePicture(source, target);
  console.log(`${target}.webp and .avif, ${width}x${height}`);
}
