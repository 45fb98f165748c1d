import type { Sharp } from 'sharp';
import type { Posters } from './video-encoder.ts';

const POSTER = { widthPx: 720, quality: 82 };
const THUMBNAIL = { widthPx: 320, quality: 78 };

export async function drawPosters(firstFrame: Sharp): Promise<Posters> {
  const draw = ({ widthPx, quality }: typeof POSTER) =>
    firstFrame.clone().resize({ width: widthPx, withoutEnlargement: true }).webp({ quality }).toBuffer();
  const [poster, thumbnail] = await Promise.all([draw(POSTER), draw(THUMBNAIL)]);
  return { poster, thumbnail };
}
