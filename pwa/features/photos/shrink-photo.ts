import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';

/** Longest side of a shrunken photo: more than any result shows. */
const SHRUNKEN_SIDE_PX = 4096;
const QUALITIES = [0.92, 0.85, 0.75];
/** Of a picture of some 84×112, also on a dense screen. */
const PREVIEW_SIDE_PX = 336;
const PREVIEW_QUALITY = 0.8;

/** The size to draw at, the longest side no longer than allowed. */
export function fitSide(
  { width, height }: { width: number; height: number },
  longest = SHRUNKEN_SIDE_PX,
): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Encodes a photo anew on the device so that it may be sent; null when the browser cannot read it. */
export async function shrinkPhoto(file: File): Promise<File | null> {
  const canvas = await draw(file, SHRUNKEN_SIDE_PX);
  if (!canvas) return null;
  for (const quality of QUALITIES) {
    const blob = await encode(canvas, quality);
    if (blob && blob.size <= PHOTO_MAX_BYTES) {
      return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg' });
    }
  }
  return null;
}

/** A small JPEG of a photo; null when the browser cannot read it. */
export async function drawPreview(file: File): Promise<ArrayBuffer | null> {
  const canvas = await draw(file, PREVIEW_SIDE_PX);
  const blob = canvas && (await encode(canvas, PREVIEW_QUALITY));
  return blob ? blob.arrayBuffer() : null;
}

async function draw(file: File, longest: number): Promise<HTMLCanvasElement | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!bitmap) return null;
  const canvas = Object.assign(document.createElement('canvas'), fitSide(bitmap, longest));
  const context = canvas.getContext('2d');
  // JPEG knows no transparency: what was see-through becomes white and not black.
  if (context) context.fillStyle = '#fff';
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
