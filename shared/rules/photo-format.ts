import { SVG_START } from './outside-text.ts';

export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'heic' | 'avif';
/** Formats of pictures that people send and that are not taken. They are refused by their names. */
export type RefusedFormat = 'svg' | 'gif' | 'tiff';

export const PHOTO_MEDIA_TYPES: Record<PhotoFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  avif: 'image/avif',
};

/** Enough for the longest list of HEIF brands, and for what stands before the root of an SVG. */
export const PHOTO_HEAD_BYTES = 1024;

/** ISO/IEC 23008-12, annex B: still pictures and sequences coded in HEVC. */
const HEVC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
const AVIF_BRANDS = ['avif', 'avis'];
/** Any codec may use these brands. They count as HEIC unless there is also an AVIF brand. */
const GENERAL_BRANDS = ['mif1', 'msf1'];

/**
 * What a file is by its first PHOTO_HEAD_BYTES; null for anything else. Every door asks this function, so that a file
 * is judged alike everywhere. Names and declared types prove nothing: shops and phones give photos any of them.
 */
export function sniffPhotoFormat(head: Uint8Array): PhotoFormat | RefusedFormat | null {
  const text = toLatin1(head.subarray(0, PHOTO_HEAD_BYTES));
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('ftyp', 4)) return sniffHeif(text);
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (/^(II[*+]\0|MM\0[*+])/.test(text)) return 'tiff';
  const markup = text.replace(/^\xef\xbb\xbf/, '');
  return SVG_START.test(markup) && /<svg[\s>]/i.test(markup) ? 'svg' : null;
}

export function isPhotoFormat(format: ReturnType<typeof sniffPhotoFormat>): format is PhotoFormat {
  return format !== null && format in PHOTO_MEDIA_TYPES;
}

function sniffHeif(text: string): PhotoFormat | null {
  const brands = listBrands(text);
  const has = (some: readonly string[]) => brands.some((brand) => some.includes(brand));
  if (has(HEVC_BRANDS)) return 'heic';
  if (has(AVIF_BRANDS)) return 'avif';
  return has(GENERAL_BRANDS) ? 'heic' : null;
}

/** The major brand of an `ftyp` box, and the compatible brands after its version number. */
function listBrands(text: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = [...text.slice(0, 4)].map((char) => char.charCodeAt(0));
  const end = Math.min(((a * 256 + b) * 256 + c) * 256 + d, text.length);
  const brands = [text.slice(8, 12)];
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(text.slice(offset, offset + 4));
  return brands;
}

function toLatin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
