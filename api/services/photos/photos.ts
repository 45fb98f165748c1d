import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ObjectNotFoundError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Db, Tx } from '#api/database/database.ts';
import { isOutcomeUnknown } from '#api/database/faults.ts';
import { AppError } from '#api/platform/errors.ts';
import { timeOperation } from '#api/platform/timed-operation.ts';
import { deriveUuid, isUuid } from '#api/platform/uuid.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { assertMayStorePhotos } from '#api/services/core/consents.ts';
import { LIMITS } from '#api/services/core/limit-table.ts';
import { consumeLimit } from '#api/services/core/limits.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { assertReadyForPhoto } from '#api/services/core/storage-room.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';
import { openFile, type RecordedFile } from '#api/services/core/stored-file.ts';
import { guessProduct } from '#api/services/products/article-guesses.ts';
import { findProductMark, listProductMarks } from '#api/services/products/product-marks.ts';
import type { Photo, Result } from '#prisma/generated/client.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { PHOTO_MEDIA_TYPES } from '#shared/rules/photo-format.ts';
import { type DecodedPhoto, decodePhoto } from './decoding.ts';
import { findSourceFiles, listPhotoKeys } from './photo-files.ts';
import { assertPhotoRoom, lockPhotoRoom } from './photo-quota.ts';

const NAME_MAX_LENGTH = 120;
const NAME_WHEN_EMPTY = 'photo';

/** A file that was received in full and is in a work folder. */
export interface ReceivedPhoto {
  path: string;
  size: number;
  /** Of its bytes, in hexadecimal digits. */
  sha256: string;
  name: string;
  /** Name of the folder that its file comes from. It may suggest the article. */
  folder?: string | undefined;
}

/**
 * Decodes and stores a photo: its files and its row both exist afterwards, or neither does. It belongs to another
 * account when this one was merged meanwhile. `upload`: it comes alone and is counted, unless the caller limits it in
 * another way; a repeat with the same key returns the first photo. Throws the photo_… errors of the upload endpoint,
 * photo_quota_reached, photo_count_reached, deletion_asked, consent_required, unauthorized, idempotency_key_reused,
 * too_many_requests, unavailable, storage_full, storage_unavailable, StorageFullError, StorageUnavailableError.
 */
export async function keepReceivedPhoto(
  app: AppContext,
  accountId: number,
  received: ReceivedPhoto,
  upload: { idempotencyKey: string | null; isCounted?: boolean } | null = null,
): Promise<Photo> {
  const idempotencyKey = upload?.idempotencyKey ?? null;
  if (received.size === 0) throw new AppError('photo_missing');
  const id = idempotencyKey === null ? randomUUID() : deriveUuid(`photo/${accountId}/${idempotencyKey}`);
  const findSent = () => app.db.photo.findUnique({ where: { id } });
  const sentSha256 = received.sha256;
  const sent = idempotencyKey === null ? null : await findSent();
  if (sent) return answerRepeated(sent, sentSha256);
  await assertMayStorePhotos(app.db, accountId);
  await assertReadyForPhoto(app);
  const decodeAndKeep = async () => {
    // Decoding costs far more than this look. Only the one before the insert is certain.
    const { isUnconfirmed } = await assertPhotoRoom(app, app.db, accountId, 0);
    const decode = () => timeOperation(app, 'decode_photo', () => decodePhoto(app, received.path));
    const decoded = await (isUnconfirmed ? app.state.semaphores.photosOfUnconfirmed.run(decode) : decode());
    const name = cleanName(received.name);
    const sent = { id, accountId, name, size: received.size, sentSha256 };
    return keepPhoto(app, { ...sent, folder: received.folder ?? null }, decoded, upload?.isCounted ?? upload !== null);
  };
  try {
    return await app.state.semaphores.photosOfAccount.run(accountId, decodeAndKeep);
  } catch (error) {
    // Both attempts ran at once, and the other one was first.
    const other = idempotencyKey === null ? null : await findSent();
    if (other) return answerRepeated(other, sentSha256);
    throw error;
  }
}

/** Throws idempotency_key_reused when another file came with the same key. */
function answerRepeated(sent: Photo, sha256: string): Photo {
  if (sent.sentSha256 !== sha256) throw new AppError('idempotency_key_reused');
  return sent;
}

/**
 * Makes a photo of a result, without files of its own, that is called after the same photo or product. Whose it is, and
 * that its file is there, is the caller's matter.
 */
export function pickResult(db: Db | Tx, result: Result): Promise<Photo> {
  const { accountId, contentType: type, bytes: size, width, height, id: resultId, productId, photoName: name } = result;
  return db.photo.create({ data: { accountId, name, type, size, width, height, storedBytes: 0, resultId, productId } });
}

export async function removePhoto(app: AppContext, photo: Photo): Promise<void> {
  await app.db.photo.delete({ where: { id: photo.id } });
  await removeStoredFiles(app, listPhotoKeys(photo));
}

async function keepPhoto(
  app: AppContext,
  {
    folder: fromFolder,
    ...sent
  }: Pick<Photo, 'id' | 'accountId' | 'name' | 'size' | 'sentSha256'> & { folder: string | null },
  { master, preview, thumbnail, mask, format, width, height }: DecodedPhoto,
  isCounted: boolean,
): Promise<Photo> {
  // Not named after the row: if two attempts make the same row, the failing one removes only its own files.
  const folder = `photos/${sent.accountId}/${randomUUID()}`;
  const keys = {
    masterKey: `${folder}/master.jpg`,
    previewKey: `${folder}/preview.webp`,
    thumbnailKey: `${folder}/thumbnail.webp`,
    maskKey: mask && `${folder}/mask.png`,
  };
  try {
    await app.storage.put(keys.masterKey, master, 'image/jpeg');
    await app.storage.put(keys.previewKey, preview, 'image/webp');
    await app.storage.put(keys.thumbnailKey, thumbnail, 'image/webp');
    if (mask && keys.maskKey) await app.storage.put(keys.maskKey, mask, 'image/png');
    const sizes = {
      masterBytes: master.length,
      previewBytes: preview.length,
      thumbnailBytes: thumbnail.length,
      maskBytes: mask?.length ?? null,
    };
    const storedBytes = Object.values(sizes).reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
    const facts = { ...sent, ...keys, ...sizes, storedBytes, width, height };
    const row = { ...facts, type: PHOTO_MEDIA_TYPES[format], resultId: null };
    return await commitWithOutcomeCheck(app.db, async (tx) => {
      const accountId = await lockPhotoRoom(tx, sent.accountId);
      if (accountId !== sent.accountId) await assertMayStorePhotos(tx, accountId);
      await assertPhotoRoom(app, tx, accountId, storedBytes);
      if (isCounted) await consumeLimit({ db: tx, config: app.config }, LIMITS.upload, String(accountId));
      const guess = await guessProduct(tx, accountId, { name: sent.name, folder: fromFolder });
      return tx.photo.create({ data: { ...row, ...guess, accountId } });
    });
  } catch (error) {
    // Otherwise the row may be there. Files without a row are removed at night.
    if (!isOutcomeUnknown(error)) {
      const removed = removeStoredFiles(app, listPhotoKeys(keys));
      // Such a storage hardly removes what it could not take, and would keep the sender waiting for each file.
      if (!(error instanceof StorageUnavailableError)) await removed;
    }
    throw error;
  }
}

/** Continues when a file cannot be removed, because the failure that led here is the one to report. */
export async function removeStoredFiles(app: AppContext, keys: string[]): Promise<void> {
  for (const key of keys) {
    await app.storage.remove(key).catch((error) => app.log.error({ err: error, key }, 'a file without a row stays'));
  }
}

function cleanName(name: string): string {
  const base = name.split(/[\\/]/).at(-1) ?? '';
  // A Mac writes й and ё as two characters each.
  const printable = base
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .trim();
  return [...printable].slice(0, NAME_MAX_LENGTH).join('') || NAME_WHEN_EMPTY;
}

/** Throws photo_not_found, photo_forbidden. */
export async function getOwnPhoto(db: Db | Tx, accountId: number, photoId: string): Promise<Photo> {
  const found = isUuid(photoId) ? await db.photo.findUnique({ where: { id: photoId } }) : null;
  return requireOwn('photo', accountId, found);
}

/** Photos of this account, each once, in this order. Throws photo_not_found, photo_forbidden. */
export async function getOwnPhotos(db: Db | Tx, accountId: number, photoIds: readonly string[]): Promise<Photo[]> {
  const asked = [...new Set(photoIds)];
  const found = await db.photo.findMany({ where: { id: { in: asked.filter(isUuid) } } });
  const byId = new Map(found.map((photo) => [photo.id, photo]));
  return asked.map((id) => requireOwn('photo', accountId, byId.get(id.toLowerCase()) ?? null));
}

/** The oldest uploaded photo of the account with each of these SHA-256 hashes. */
export async function listPhotosByHash(
  db: Db | Tx,
  accountId: number,
  hashes: readonly string[],
): Promise<Map<string, Photo>> {
  if (hashes.length === 0) return new Map();
  const photos = await db.photo.findMany({
    where: { accountId, resultId: null, sentSha256: { in: [...new Set(hashes)] } },
    orderBy: { createdAt: 'desc' },
  });
  return new Map(photos.flatMap((photo) => (photo.sentSha256 === null ? [] : [[photo.sentSha256, photo]])));
}

/** The newest photo of the same account that is older than this one, but not older than `earliest`. */
export function findPhotoBefore(
  db: Db | Tx,
  { accountId, createdAt }: Pick<Photo, 'accountId' | 'createdAt'>,
  earliest: Date,
): Promise<Photo | null> {
  return db.photo.findFirst({
    where: { accountId, createdAt: { lt: createdAt, gte: earliest } },
    orderBy: { createdAt: 'desc' },
  });
}

/**
 * The JPEG that every tool works from. Of a picked result it has no logo, so it is for engines and not for the owner.
 * Throws ObjectNotFoundError, StorageUnavailableError.
 */
export async function openPhotoMaster(app: AppContext, photo: Photo): Promise<Readable> {
  return openPhotoFile(app, (await findSourceFiles(app.db, photo)).master);
}

/** Throws ObjectNotFoundError for a missing or a broken file, StorageUnavailableError. */
export async function openPhotoFile(app: AppContext, file: RecordedFile): Promise<Readable> {
  try {
    return await openFile(app, file);
  } catch (error) {
    // Another storage says nothing about our photos.
    if (error instanceof ObjectNotFoundError) await assertHoldsOurFiles(app);
    throw error;
  }
}

/** One photo as pages show it, with its product. */
export async function presentWithProduct({ db }: WithDb, photo: Photo): Promise<UploadedPhoto> {
  return presentPhoto(photo, await findProductMark(db, photo));
}

export const PRESENTED_FIELDS = [
  'id',
  'name',
  'width',
  'height',
  'size',
  'type',
  'guessedArticle',
] as const satisfies (keyof Photo)[];

/** A photo as pages show it. `product`: the one that it belongs to. */
export function presentPhoto(
  photo: Pick<Photo, (typeof PRESENTED_FIELDS)[number]>,
  product: ProductMark | null,
): UploadedPhoto {
  const { id, name, width, height, size, type, guessedArticle } = photo;
  const address = `/media/photos/${id}`;
  return {
    id,
    name,
    width,
    height,
    size,
    type,
    product,
    guessedArticle,
    previewUrl: `${address}/preview`,
    thumbnailUrl: `${address}/thumbnail`,
  };
}

/**
 * Which of these files, by their SHA-256 in hexadecimal digits, the account has as a photo. Says nothing about photos of
 * others.
 */
export async function findKnownPhotos(
  { db }: WithDb,
  accountId: number,
  hashes: readonly string[],
): Promise<{ sha256: string; photo: UploadedPhoto }[]> {
  const found = await listPhotosByHash(db, accountId, hashes);
  const products = await listProductMarks(db, [...found.values()]);
  return [...found].map(([sha256, photo]) => ({
    sha256,
    photo: presentPhoto(photo, products.get(photo.productId ?? '') ?? null),
  }));
}
