/** The format of a photo, detected by its first bytes. Names and declared types prove nothing. */
export type PhotoFormat = 'jpeg' | 'png' | 'webp' | 'heic';

export const PHOTO_MEDIA_TYPES: Record<PhotoFormat, string> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
};

/** Enough for the longest list of HEIF brands. */
export const PHOTO_HEAD_BYTES = 256;

const JPEG_START = Buffer.from([0xff, 0xd8, 0xff]);
const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** ISO/IEC 23008-12, annex B: still pictures and sequences coded in HEVC. */
const HEVC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
/** Any codec may use these brands. They count unless there is also an AVIF brand. */
const GENERAL_BRANDS = ['mif1', 'msf1'];
const AVIF_BRANDS = ['avif', 'avis'];

/** Null for every format that is not accepted, including AVIF, GIF and SVG. */
export function sniffPhotoFormat(head: Buffer): PhotoFormat | null {
  if (head.subarray(0, 3).equals(JPEG_START)) return 'jpeg';
  if (head.subarray(0, 8).equals(PNG_START)) return 'png';
  if (readText(head, 0) === 'RIFF' && readText(head, 8) === 'WEBP') return 'webp';
  if (readText(head, 4) === 'ftyp' && isHevcBrand(readBrands(head))) return 'heic';
  return null;
}

function isHevcBrand(brands: string[]): boolean {
  if (brands.some((brand) => HEVC_BRANDS.includes(brand))) return true;
  return brands.some((brand) => GENERAL_BRANDS.includes(brand)) && !brands.some((brand) => AVIF_BRANDS.includes(brand));
}

/** The major brand of an `ftyp` box, and the compatible brands after its version number. */
function readBrands(head: Buffer): string[] {
  const end = Math.min(head.readUInt32BE(0), head.length);
  const brands = [readText(head, 8)];
  for (let offset = 16; offset + 4 <= end; offset += 4) brands.push(readText(head, offset));
  return brands;
}

function readText(head: Buffer, offset: number): string {
  return head.toString('latin1', offset, offset + 4);
}
