import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertReadyForPhoto } from '#api/services/core/storage-room.ts';
import { listPhotoKeys } from '#api/services/photos/photo-files.ts';
import { readRoom } from '#api/services/photos/photo-quota.ts';
import { getOwnPhoto, presentPhoto, removeStoredFiles } from '#api/services/photos/photos.ts';
import type { KeptPhotos, PhotoOrder } from '#shared/contract/photos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { forgetPhotos } from './forget-photos.ts';

/** Photos that are shown at once. Whoever deletes some sees the next ones. */
const LISTED_AT_ONCE = 50;

const ORDERS = {
  largest: [{ storedBytes: 'desc' }, { id: 'asc' }],
  oldest: [{ createdAt: 'asc' }, { id: 'asc' }],
} as const;

/** The uploaded photos of an account, and the room that they take. */
export async function listOwnPhotos(app: AppContext, accountId: number, order: PhotoOrder): Promise<KeptPhotos> {
  const isRunning = { generation: { status: { in: [...ACTIVE_STATUSES] } } };
  const photos = await app.db.photo.findMany({
    where: { accountId, resultId: null },
    orderBy: [...ORDERS[order]],
    take: LISTED_AT_ONCE,
    include: { usedBy: { where: isRunning, select: { position: true }, take: 1 } },
  });
  const { photos: total, usedBytes, limitBytes } = await readRoom(app, app.db, accountId);
  return {
    photos: photos.map(({ usedBy, storedBytes, createdAt, ...photo }) => ({
      ...presentPhoto(photo),
      storedBytes,
      createdAt: createdAt.toISOString(),
      isInUse: usedBy.length > 0,
    })),
    total,
    usedBytes,
    limitBytes,
  };
}

/**
 * Removes a photo with its files at once. Results that were made from it stay. Throws AppError photo_not_found,
 * photo_forbidden, photo_in_use, storage_unavailable.
 */
export async function deletePhoto(app: AppContext, accountId: number, id: string): Promise<void> {
  const photo = await getOwnPhoto(app.db, accountId, id);
  // Otherwise the row would go and the files stay.
  await assertReadyForPhoto(app);
  const isFree = await app.db.$transaction((tx) => forgetPhotos(tx, [photo.id]));
  if (!isFree) throw new AppError('photo_in_use');
  await removeStoredFiles(app, listPhotoKeys(photo));
  app.log.info({ action: 'photo_deleted', accountId, photoId: photo.id }, 'a photo was deleted by its owner');
}
