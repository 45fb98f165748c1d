import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import heif from 'libheif-js/wasm-bundle.js';
import { type HeifAnswer, type HeifFrame, type HeifTask, nameUnsupported, type RawPicture } from './heif-decoding.ts';
import { convertToSrgb, differsFromSrgb, hasHighRange, type Nclx } from './nclx.ts';
import type { PhotoRefusalCode } from './photo-refusal.ts';

/*
 * libheif by its C interface (heif.h). Memory is not freed, because the thread ends with its task.
 */

/** Of heif_colorspace, heif_chroma and heif_channel. */
const RGB = 1;
const CHROMA = { 3: { 8: 10, 16: 14 }, 4: { 8: 11, 16: 15 } } as const;
const INTERLEAVED = 10;
const MAX_TRANSFORMATIONS = 16;

class HeifError extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Borders {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Cover {
  context: number;
  handle: number;
  item: number;
  storedWidth: number;
  storedHeight: number;
}

const { file, format, wants } = workerData as HeifTask;
const UNSUPPORTED = nameUnsupported(format);
/** Of heif_error_code. The others say that the file is damaged. */
const REFUSALS: Record<number, PhotoRefusalCode> = {
  3: UNSUPPORTED,
  4: UNSUPPORTED,
  // The decoder's own limits.
  6: 'photo_too_many_pixels',
  11: UNSUPPORTED,
};

await heif.ready;
/** For results that are written to an address. */
const [error, result] = [heif._malloc(16), heif._malloc(64)];

function readUint32(address: number): number {
  return new DataView(heif.HEAPU8.buffer).getUint32(address, true);
}

function readText(address: number): string {
  const end = heif.HEAPU8.indexOf(0, address);
  return Buffer.from(heif.HEAPU8.subarray(address, end)).toString();
}

function check(): void {
  const code = readUint32(error);
  if (code !== 0) throw new HeifError(code, readText(readUint32(error + 8)));
}

function openCover(content: Uint8Array): Cover {
  const bytes = heif._malloc(content.length);
  heif.HEAPU8.set(content, bytes);
  const context = heif._heif_context_alloc();
  heif._heif_context_read_from_memory(error, context, bytes, content.length, 0);
  check();
  heif._heif_context_get_primary_image_handle(error, context, result);
  check();
  const handle = readUint32(result);
  return {
    context,
    handle,
    item: heif._heif_image_handle_get_item_id(handle),
    storedWidth: heif._heif_image_handle_get_ispe_width(handle),
    storedHeight: heif._heif_image_handle_get_ispe_height(handle),
  };
}

function readFrame({ handle, storedWidth, storedHeight }: Cover): HeifFrame {
  const profile = readProfile(handle);
  const nclx = profile ? null : readNclx(handle);
  return {
    width: heif._heif_image_handle_get_width(handle),
    height: heif._heif_image_handle_get_height(handle),
    storedPixels: storedWidth * storedHeight,
    hasAlpha: heif._heif_image_handle_has_alpha_channel(handle) !== 0,
    profile,
    nclx: nclx && differsFromSrgb(nclx) ? nclx : null,
  };
}

function readProfile(handle: number): Uint8Array | null {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size === 0) return null;
  const bytes = heif._malloc(size);
  heif._heif_image_handle_get_raw_color_profile(error, handle, bytes);
  check();
  return heif.HEAPU8.slice(bytes, bytes + size);
}

function readNclx(handle: number): Nclx | null {
  heif._heif_image_handle_get_nclx_color_profile(error, handle, result);
  if (readUint32(error) !== 0) return null;
  const profile = readUint32(result);
  // After the byte of the version.
  return { primaries: readUint32(profile + 4), transfer: readUint32(profile + 8) };
}

function decode(content: Uint8Array): RawPicture {
  const cropped = openCover(content);
  const { nclx, hasAlpha } = readFrame(cropped);
  const borders = findBorders(cropped);
  // Libheif 1.23 takes the size of the cropped picture for the limit of the stored one, and refuses all crops.
  const { handle } = borders ? openCover(withoutCrop(content, cropped)) : cropped;
  const depth = nclx && hasHighRange(nclx) ? heif._heif_image_handle_get_luma_bits_per_pixel(handle) : 8;
  const channels = hasAlpha ? 4 : 3;
  heif._heif_decode_image(error, handle, result, RGB, CHROMA[channels][depth > 8 ? 16 : 8], 0);
  check();
  const picture = cutOut(readUint32(result), { channels, bytes: depth > 8 ? 2 : 1 }, borders);
  const { width, height, data } = picture;
  if (!nclx) return { width, height, channels, data };
  const values = depth > 8 ? new Uint16Array(data.buffer) : data;
  return { width, height, channels, data: convertToSrgb(values, { channels, maxValue: 2 ** depth - 1, nclx }) };
}

/** What is cut off from the upright picture. Null without a crop. */
function findBorders({ context, item, storedWidth, storedHeight }: Cover): Borders | null {
  const ids = heif._malloc(4 * MAX_TRANSFORMATIONS);
  const count = heif._heif_item_get_transformation_properties(context, item, ids, MAX_TRANSFORMATIONS);
  let borders: Borders | null = null;
  for (let index = 0; index < count; index++) {
    const id = readUint32(ids + 4 * index);
    const type = heif._heif_item_get_property_type(context, item, id);
    if (type === fourCc('clap')) {
      const addresses = [result, result + 4, result + 8, result + 12] as const;
      heif._heif_item_get_property_transform_crop_borders(context, item, id, storedWidth, storedHeight, ...addresses);
      const [left = 0, top = 0, right = 0, bottom = 0] = addresses.map(readUint32);
      borders = { left, top, right, bottom };
    } else if (borders && type === fourCc('irot')) {
      const turns = heif._heif_item_get_property_transform_rotation_ccw(context, item, id) / 90;
      for (let turn = 0; turn < turns; turn++) borders = turnLeft(borders);
    } else if (borders && type === fourCc('imir')) {
      borders = mirror(borders, heif._heif_item_get_property_transform_mirror(context, item, id) === 0);
    }
  }
  return borders;
}

function turnLeft({ left, top, right, bottom }: Borders): Borders {
  return { left: top, top: right, right: bottom, bottom: left };
}

function mirror({ left, top, right, bottom }: Borders, isUpsideDown: boolean): Borders {
  return isUpsideDown ? { left, top: bottom, right, bottom: top } : { left: right, top, right: left, bottom };
}

function fourCc(text: string): number {
  return Buffer.from(text).readUInt32BE();
}

/** Size and type of a `clap` box. */
const CROP_BOX = Buffer.from('\0\0\0\x28clap', 'latin1');

/** A copy of the file in which every crop box leaves the whole picture. */
function withoutCrop(content: Uint8Array, { storedWidth, storedHeight }: Cover): Uint8Array {
  const whole = Buffer.from(content);
  for (let at = whole.indexOf(CROP_BOX); at >= 0; at = whole.indexOf(CROP_BOX, at + 1)) {
    // Width, height and the offsets of the centre, as fractions.
    for (const [index, value] of [storedWidth, 1, storedHeight, 1, 0, 1, 0, 1].entries()) {
      if (at + 12 + 4 * index <= whole.length) whole.writeUInt32BE(value, at + 8 + 4 * index);
    }
  }
  return whole;
}

function cutOut(
  image: number,
  { channels, bytes }: { channels: number; bytes: number },
  borders: Borders | null,
): { width: number; height: number; data: Uint8Array<ArrayBuffer> } {
  const { left, top, right, bottom } = borders ?? { left: 0, top: 0, right: 0, bottom: 0 };
  const width = heif._heif_image_get_width(image, INTERLEAVED) - left - right;
  const height = heif._heif_image_get_height(image, INTERLEAVED) - top - bottom;
  const plane = heif._heif_image_get_plane_readonly(image, INTERLEAVED, result);
  const stride = readUint32(result);
  if (width <= 0 || height <= 0 || plane === 0) throw new HeifError(0, 'no pixels');
  const rowBytes = width * channels * bytes;
  const data = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    const start = plane + (top + row) * stride + left * channels * bytes;
    data.set(heif.HEAPU8.subarray(start, start + rowBytes), row * rowBytes);
  }
  return { width, height, data };
}

function answer(message: HeifAnswer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, transfer);
}

try {
  const content = readFileSync(file);
  if (wants === 'frame') answer({ frame: readFrame(openCover(content)) });
  else {
    const pixels = decode(content);
    answer({ pixels }, [pixels.data.buffer as ArrayBuffer]);
  }
} catch (problem) {
  if (!(problem instanceof HeifError)) throw problem;
  answer({ refusal: { code: REFUSALS[problem.code] ?? 'photo_unreadable', reason: problem.message } });
}
