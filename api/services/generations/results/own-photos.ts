import type { Db } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { BAD_CURSOR, cutPage, parseUuidCursor } from '#api/services/core/cursors.ts';
import { assertReadyForPhoto } from '#api/services/core/storage-room.ts';
import { matchWords, splitSearch } from '#api/services/core/text-search.ts';
import { listPhotoKeys } from '#api/services/photos/photo-files.ts';
import { readRoom } from '#api/services/photos/photo-quota.ts';
import { getOwnPhoto, presentPhoto, removeStoredFiles } from '#api/services/photos/photos.ts';
import { listProductMarks } from '#api/services/products/product-marks.ts';
import { getOwnProduct } from '#api/services/products/products.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import type { KeptPhotos, PhotoOrder } from '#shared/contract/photos.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { forgetPhotos } from './forget-photos.ts';

const ORDERS = {
  newest: [{ createdAt: 'desc' }, { id: 'desc' }],
  oldest: [{ createdAt: 'asc' }, { id: 'asc' }],
  largest: [{ storedBytes: 'desc' }, { id: 'asc' }],
} as const satisfies Record<PhotoOrder, Prisma.PhotoOrderByWithRelationInput[]>;

interface PhotosPage {
  order: PhotoOrder;
  cursor?: string | undefined;
  limit: number;
  /** Id of a product. */
  product?: string | undefined;
  search?: string | undefined;
}

/**
 * One page of the uploaded photos of an account, and the room that all of them take. Throws invalid_request for an
 * invalid cursor, product_not_found, product_forbidden.
 */
export async function listOwnPhotos(
  app: AppContext,
  accountId: number,
  { order, cursor, limit, product, search }: PhotosPage,
): Promise<KeptPhotos> {
  if (product !== undefined) await getOwnProduct(app.db, accountId, product);
  const words = splitSearch(search);
  const found = words.length === 0 ? {} : { id: { in: await findPhotoIds(app.db, accountId, words) } };
  const isRunning = { generation: { status: { in: [...ACTIVE_STATUSES] } } };
  const photos = await app.db.photo.findMany({
    where: { accountId, resultId: null, ...(product === undefined ? {} : { productId: product }), ...found },
    orderBy: [...ORDERS[order]],
    take: limit + 1,
    ...(cursor === undefined ? {} : { cursor: { id: await requireCursor(app.db, accountId, cursor) }, skip: 1 }),
    include: { usedBy: { where: isRunning, select: { position: true }, take: 1 } },
  });
  const { page, last } = cutPage(photos, limit);
  const products = await listProductMarks(app.db, page);
  const { photos: total, usedBytes, limitBytes } = await readRoom(app, app.db, accountId);
  return {
    photos: page.map(({ usedBy, storedBytes, createdAt, ...photo }) => ({
      ...presentPhoto(photo, products.get(photo.productId ?? '') ?? null),
      storedBytes,
      createdAt: createdAt.toISOString(),
      isInUse: usedBy.length > 0,
    })),
    nextCursor: last?.id ?? null,
    total,
    usedBytes,
    limitBytes,
  };
}

/** The photos whose name, article or product's name has each of the words. */
async function findPhotoIds(db: Db, accountId: number, words: readonly string[]): Promise<string[]> {
  const texts = ['photo.name', 'photo.guessed_article', 'product.article', 'product.name'];
  const found = await db.$queryRaw<{ id: string }[]>`
    select photo.id from photos as photo left join products as product on product.id = photo.product_id
    where photo.account_id = ${accountId} and photo.result_id is null and ${matchWords(texts, words)}`;
  return found.map(({ id }) => id);
}

/** A deleted photo is no place to go on from. */
async function requireCursor(db: Db, accountId: number, cursor: string): Promise<string> {
  const id = parseUuidCursor(cursor);
  if ((await db.photo.count({ where: { id, accountId } })) === 0) throw new AppError('invalid_request', BAD_CURSOR);
  return id;
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
