import { open } from 'node:fs/promises';
import { throwMachineFault } from '#api/adapters/storage/disk-failures.ts';
import { AppError } from '#api/platform/errors.ts';
import { workIn } from '#api/platform/work-processes/work-process.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { isPhotoFormat, PHOTO_HEAD_BYTES, type PhotoFormat, sniffPhotoFormat } from '#shared/rules/photo-format.ts';
import type { PhotoRefusal } from './photo-refusal.ts';
import type * as PhotoWork from './photo-work.ts';
import type { DecodedPicture } from './photo-work.ts';

export interface DecodedPhoto extends DecodedPicture {
  format: PhotoFormat;
}

/** Decoding a larger photo may take half a gigabyte, so such photos are decoded one by one. */
const HEAVY_PIXELS = 24_000_000;

/** People upload several photos at once. */
const run = workIn<typeof PhotoWork>(new URL('./photo-work.ts', import.meta.url), { maxTasks: 100 });

/**
 * Decodes a file completely and makes the stored sizes: upright, sRGB, on white, without metadata. Throws the photo_…
 * errors of a picture, unavailable, and what throwMachineFault does.
 */
export async function decodePhoto(app: Pick<AppContext, 'state'>, file: string): Promise<DecodedPhoto> {
  const format = sniffPhotoFormat(await readHead(file));
  if (format === null) throw new AppError('photo_not_image');
  if (!isPhotoFormat(format)) throw new AppError('photo_format_refused');
  const { photoDecoding, largePhotoDecoding } = app.state.semaphores;
  try {
    return await photoDecoding.run(async () => {
      const frame = await run('readFrame', { file, format });
      const decode = async () => ({ format, ...(await run('decode', { file, format, frame })) });
      return frame.pixels > HEAVY_PIXELS ? photoDecoding.aside(() => largePhotoDecoding.run(decode)) : decode();
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throwMachineFault(error);
    // An error without a refusal is a crash of the decoder, twice in a row.
    const code = isRefusal(error) ? error.code : 'photo_unreadable';
    throw Object.assign(new AppError(code), { cause: error });
  }
}

function isRefusal(error: unknown): error is PhotoRefusal {
  return error instanceof Error && error.name === 'PhotoRefusal';
}

async function readHead(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PHOTO_HEAD_BYTES));
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
