import { Worker } from 'node:worker_threads';
import { withTimeout } from '#api/platform/with-timeout.ts';
import type { PhotoFormat } from '#shared/rules/photo-format.ts';
import type { Nclx } from './nclx.ts';
import { PhotoRefusal, type PhotoRefusalCode, refuse } from './photo-refusal.ts';

/** The primary item of a file: its cover, which need not be the first picture. */
export interface HeifFrame {
  /** In pixels, after the crop and the turn that the file requests. */
  width: number;
  height: number;
  storedPixels: number;
  hasAlpha: boolean;
  profile: Uint8Array | null;
  /** Colours that are told by numbers. Null with a profile, and where they are those of sRGB. */
  nclx: Nclx | null;
}

/** Pixels of 8 bits, cropped and upright, in the space of the profile or in sRGB. */
export interface RawPicture {
  width: number;
  height: number;
  channels: 3 | 4;
  data: Uint8Array;
}

export type HeifFormat = Extract<PhotoFormat, 'heic' | 'avif'>;

export interface HeifTask {
  file: string;
  format: HeifFormat;
  wants: 'frame' | 'pixels';
}
export type HeifAnswer =
  | { frame: HeifFrame }
  | { pixels: RawPicture }
  | { refusal: { code: PhotoRefusalCode; reason: string } };

/** A 48-megapixel photo takes a few seconds. A file that takes this long was crafted for it. */
const TIMEOUT_MS = 30_000;
/** The pixels themselves are outside the heap. Their number is known from the frame. */
const HEAP_MB = 128;

/**
 * Reads what is known of a HEIC or AVIF file before it is decoded. Throws photo_too_many_pixels, photo_unreadable for a
 * damaged file, and photo_heic_unsupported or photo_avif_unsupported for any other problem.
 */
export async function readHeifFrame(file: string, format: HeifFormat): Promise<HeifFrame> {
  const answer = await ask({ file, format, wants: 'frame' });
  return 'frame' in answer ? answer.frame : fail();
}

export async function decodeHeic(file: string): Promise<RawPicture> {
  const answer = await ask({ file, format: 'heic', wants: 'pixels' });
  return 'pixels' in answer ? answer.pixels : fail();
}

/** The refusal of a file that the decoder cannot read, though it may be whole. */
export function nameUnsupported(format: HeifFormat) {
  return `photo_${format}_unsupported` as const;
}

function fail(): never {
  throw new Error('another answer than was asked for');
}

async function ask(task: HeifTask): Promise<Exclude<HeifAnswer, { refusal: unknown }>> {
  const worker = new Worker(new URL('./heif-worker.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    // The decoder prints messages about broken files to stdout.
    stdout: true,
    stderr: true,
  });
  try {
    const answer = await receiveAnswer(worker);
    if (!('refusal' in answer)) return answer;
    throw new PhotoRefusal(answer.refusal.code, new Error(answer.refusal.reason));
  } catch (error) {
    throw refuse(error, nameUnsupported(task.format));
  } finally {
    await worker.terminate();
  }
}

function receiveAnswer(worker: Worker): Promise<HeifAnswer> {
  const answer = new Promise<HeifAnswer>((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the decoder ended without an answer')));
  });
  return withTimeout(answer, TIMEOUT_MS);
}
