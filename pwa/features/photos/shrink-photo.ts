import { putInFolder, readFolder } from '#pwa/features/uploads/photo-folder.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';

/** The longest side of a reduced photo. No result shows more. */
const SHRUNKEN_SIDE_PX = 4096;
const QUALITIES = [0.92, 0.85, 0.75];
/** For a preview of about 84×112 px, also on dense screens. */
const PREVIEW_SIDE_PX = 336;
const PREVIEW_QUALITY = 0.8;

/** Scales a size down so that its longest side is at most `longest` pixels. */
export function fitSide(
  { width, height }: { width: number; height: number },
  longest = SHRUNKEN_SIDE_PX,
): { width: number; height: number } {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Re-encodes a photo on the device so that it is small enough; null when the browser cannot read it. */
export async function shrinkPhoto(file: File): Promise<File | null> {
  const canvas = await draw(file, SHRUNKEN_SIDE_PX);
  if (!canvas) return null;
  for (const quality of QUALITIES) {
    const blob = await encode(canvas, quality);
    if (blob && blob.size <= PHOTO_MAX_BYTES) {
      const smaller = new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg' });
      return putInFolder(smaller, readFolder(file));
    }
  }
  return null;
}

/** Draws a small JPEG of a photo; null when the browser cannot read it. */
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
  // JPEG has no transparency: transparent parts become white instead of black.
  if (context) context.fillStyle = '#fff';
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas;
}

function encode(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}
