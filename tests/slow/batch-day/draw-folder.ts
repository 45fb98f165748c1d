import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { drawProductPhoto, type ProductPhotoKind } from '#tests/fixtures/draw-product-photo.ts';

/** The engine of the house cuts these out. */
const SUITABLE: ProductPhotoKind[] = ['garment', 'white-garment', 'shoe', 'dotted', 'short-brown-shadow', 'person'];

/** A file among many things in a street: no subject can be cut out of it. */
export const UNSUITABLE = 'ART-110.jpg';
export const NO_IMAGE = 'ART-130.jpg';
export const TOO_SMALL = 'ART-131.jpg';
export const PHOTOS = 30;

/** Articles that the names of the files and folders suggest. */
export const GUESSES = [
  ...Array.from({ length: 21 }, (_, index) => `ART-${101 + index}`),
  ...['DRS-201', 'DRS-202', 'ART-507'],
];

/**
 * Draws a seller's folder: 30 photos, some of them two of an article or in a folder of their own, a file that is no
 * image, one that is too small, a copy, and what a system leaves in folders.
 */
export async function drawFolder(folder: string): Promise<void> {
  const numbered = Array.from({ length: 19 }, (_, index) => `ART-${103 + index}`);
  const names = [
    ...['ART-101_1.jpg', 'ART-101_2.jpg', 'ART-102_1.jpg', 'ART-102_2.jpg'],
    ...numbered.map((article) => `${article}${EXTENSIONS[article] ?? '.jpg'}`),
    ...['DRS-201/front.jpg', 'DRS-201/back.jpg', 'DRS-202/IMG_0001.jpg', 'DRS-202/IMG_0002.jpg'],
    ...['ART-507 (2).jpg', 'IMG_0207.jpg', 'платье синее.jpg'],
  ];
  for (const [index, name] of names.entries()) {
    const kind = name === UNSUITABLE ? 'busy' : SUITABLE[index % SUITABLE.length];
    // Another size makes other bytes. One in four is square.
    const width = 900 + 2 * index;
    const drawn = await drawProductPhoto(kind ?? 'garment', { width, height: index % 4 === 3 ? width : 1200 });
    await put(folder, name, await encode(name, drawn));
    if (name === 'ART-107.jpg') await put(folder, 'ART-107 копия.jpg', drawn);
  }
  await put(folder, NO_IMAGE, Buffer.from('Список товаров: платье, рубашка'));
  await put(folder, TOO_SMALL, await drawProductPhoto('garment', { width: 150, height: 200 }));
  await put(folder, '.DS_Store', Buffer.from('waste'));
}

const EXTENSIONS: Record<string, string> = { 'ART-105': '.png', 'ART-106': '.webp' };

function encode(name: string, jpeg: Buffer): Buffer | Promise<Buffer> {
  if (name.endsWith('.png')) return sharp(jpeg).png().toBuffer();
  return name.endsWith('.webp') ? sharp(jpeg).webp().toBuffer() : jpeg;
}

async function put(folder: string, name: string, content: Buffer): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
}
