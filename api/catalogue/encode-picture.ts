// Makes the two files of a catalogue picture: node api/catalogue/encode-picture.ts photo.jpg <folder>/woman/w16
// The folder decides the size: portraits 600x800, backgrounds 1080x1440. The excess is cut off around the middle.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';

const PORTRAIT = { width: 600, height: 800 };
const BACKGROUND = { width: 1080, height: 1440 };

const [source, target] = process.argv.slice(2);
if (!source || !target) {
  console.error('Usage: node api/catalogue/encode-picture.ts <picture> <folder>/(woman|man|backgrounds)/<id>');
  process.exit(1);
}
const size = path.basename(path.dirname(target)) === 'backgrounds' ? BACKGROUND : PORTRAIT;
const picture = sharp(source).autoOrient().resize(size).flatten({ background: '#ffffff' }).toColourspace('srgb');
await mkdir(path.dirname(target), { recursive: true });
await writeFile(`${target}.webp`, await picture.clone().webp({ quality: 86, effort: 6 }).toBuffer());
await writeFile(`${target}.avif`, await picture.clone().avif({ quality: 58, effort: 6 }).toBuffer());
console.log(`${target}.webp and .avif, ${size.width}x${size.height}`);
