import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';

/** Longest side of a shrunken photo: more than any result shows. */
const SHRUNKEN_SIDE_PX = 4096;
const QUALITIES = [0.92, 0.85, 0.75];

/** The size to draw at, the longest side no longer than allowed. */
export function fitSide({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const scale = Math.min(1, SHRUNKEN_SIDE_PX / Math.max(width, height));
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}

/** Encodes a photo anew on the device so that it may be sent; null when the browser cannot read it. */
export async function shrinkPhoto(file: File): Promise<File | null> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null);
  if (!bitmap) return null;
  const canvas = Object.assign(document.createElement('canvas'), fitSide(bitmap));
  const context = canvas.getContext('2d');
  // JPEG knows no transparency: what was see-through becomes white and not black.
  if (context) context.fillStyle = '#fff';
  context?.fillRect(0, 0, canvas.width, canvas.height);
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  for (const quality of QUALITIES) {
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (blob && blob.size <= PHOTO_MAX_BYTES) {
      return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: 'image/jpeg' });
    }
  }
  return null;
}
