import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/core/ownership.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import { findOwnFiles, type PhotoFiles } from '#api/services/photos/photo-files.ts';
import type { Photo, Result } from '#prisma/generated/client.ts';
import { withResultFiles } from './lost-results.ts';
import { remakePhotoPreviews } from './previews.ts';
import { recordedBytes } from './result-files.ts';
import { findKeptResult, selectImageKey, selectPosterKey, selectThumbnailKey } from './results.ts';

/** A size in which an owner sees a photo. */
export type ShownSize = keyof PhotoFiles;

const SELECT_RESULT_KEY = { master: selectImageKey, preview: selectPosterKey, thumbnail: selectThumbnailKey };

type UseFile<T> = (file: RecordedFile) => Promise<T>;

/**
 * Does something with the file of a photo that its owner may see now. Every way out of the service asks here: a picked
 * result gives no more than the result itself gives this owner at this moment, and nothing once it is deleted for good.
 * Throws photo_not_found, ObjectNotFoundError without a whole file, and what withResultFiles throws.
 */
export async function withShownPhoto<T>(
  app: AppContext,
  photo: Photo,
  { size, isPremium }: { size: ShownSize; isPremium: boolean },
  use: UseFile<T>,
): Promise<T> {
  if (findOwnFiles(photo)) return withOwnFile(app, photo, size, use);
  const result = photo.resultId === null ? null : await findKeptResult(app.db, photo.resultId);
  if (!result) return refuseUnknown('photo');
  return withResultFiles(app, result, async (known) => {
    const key = await SELECT_RESULT_KEY[size](app, known, isPremium);
    return use({ key, bytes: recordedBytes(known, key) });
  });
}

/**
 * Does something with the preview of a photo, of a picked result without the logo: for administrators. Throws what
 * withShownPhoto throws.
 */
export async function withSourcePreview<T>(app: AppContext, photo: Photo, use: UseFile<T>): Promise<T> {
  if (photo.resultId === null) return withOwnFile(app, photo, 'preview', use);
  const result = await app.db.result.findUniqueOrThrow({ where: { id: photo.resultId } });
  return withPoster(app, result, use);
}

/** Does something with the preview of a result without the logo. Throws what withResultFiles throws. */
export function withPoster<T>(app: AppContext, result: Result, use: UseFile<T>): Promise<T> {
  return withResultFiles(app, result, ({ posterKey: key, posterBytes: bytes }) => use({ key, bytes }));
}

/** A preview or a thumbnail that is missing or broken is made again from the whole photo. */
async function withOwnFile<T>(app: AppContext, photo: Photo, size: ShownSize, use: UseFile<T>): Promise<T> {
  const files = requireOwnFiles(photo);
  try {
    return await use(files[size]);
  } catch (error) {
    if (!(error instanceof ObjectNotFoundError) || size === 'master') throw error;
    await remakePhotoPreviews(app, photo, files);
    const stored = await app.db.photo.findUnique({ where: { id: photo.id } });
    return stored ? use(requireOwnFiles(stored)[size]) : refuseUnknown('photo');
  }
}

function requireOwnFiles(photo: Photo): PhotoFiles {
  return findOwnFiles(photo) ?? refuseUnknown('photo');
}
