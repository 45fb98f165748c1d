import { type Db, findViolatedConstraint, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { deriveUuid, isUuid } from '#api/platform/uuid.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import {
  getOwnPhotos,
  keepReceivedPhoto,
  listPhotosByHash,
  type ReceivedPhoto,
  removePhoto,
} from '#api/services/photos/photos.ts';
import { ensureProduct } from '#api/services/products/article-guesses.ts';
import type { BatchRow as BatchRowRecord, Photo, Prisma } from '#prisma/generated/client.ts';
import type { Batch, BatchRow, BatchSet } from '#shared/contract/batches.ts';
import type { ErrorCode } from '#shared/contract/errors.ts';
import { PHOTO_ERRORS } from '#shared/contract/uploads.ts';
import { BATCH_ALL_ROWS_MAX, BATCH_ROWS_MAX, type RowStage } from '#shared/rules/batches.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';
import { PHOTO_MAX_BYTES } from '#shared/rules/photo-requirements.ts';
import { presentBatch, presentRows } from './batch-view.ts';
import { changeOwnBatch, getOwnBatch } from './batches.ts';

const NAME_MAX_LENGTH = 255;
const ROW_CONSTRAINT = 'batch_rows_pkey';

/** A batch with rows of it that have changed. */
export interface ChangedRows {
  batch: Batch;
  rows: BatchRow[];
}

export interface NewRow {
  id: string;
  name: string;
  size?: number | undefined;
  folder?: string | undefined;
  /** Of the file. */
  sha256?: string | undefined;
  /** A photo of the account, in place of a file. */
  photoId?: string | undefined;
  article?: string | null | undefined;
  note?: string | null | undefined;
  set?: BatchSet | undefined;
  /** Why the client cannot send it. */
  refusal?: ErrorCode | undefined;
}

/**
 * Adds rows to a batch. Each exists from now on in one of the states: uploading, duplicate, refused, ready. A row whose
 * id is there is left as it is. Throws batch_not_found, batch_forbidden, batch_full when not even a refused row has
 * room, photo_not_found, photo_forbidden, invalid_request.
 */
export async function addRows(app: AppContext, viewer: Viewer, id: string, rows: NewRow[]): Promise<ChangedRows> {
  const record = await changeOwnBatch(app, viewer.id, id, async (tx, batch) => {
    const known = await tx.batchRow.findMany({
      where: { id: { in: rows.map((row) => row.id) } },
      select: { id: true, batchId: true },
    });
    if (known.some(({ batchId }) => batchId !== id)) throw new AppError('invalid_request');
    const knownIds = new Set(known.map((row) => row.id));
    const added = [...new Map(rows.map((row) => [row.id.toLowerCase(), row])).values()].filter(
      (row) => !knownIds.has(row.id.toLowerCase()),
    );
    for (const { set } of added) assertSameTool(batch.kind, set);
    await insertRows(tx, viewer.id, id, added);
    return batch;
  }).catch((error: unknown) => {
    throw findViolatedConstraint(error) === ROW_CONSTRAINT ? new AppError('invalid_request') : error;
  });
  return presentChanged(
    app,
    viewer,
    record.id,
    rows.map((row) => row.id),
  );
}

function assertSameTool(kind: BatchSet['kind'], set: BatchSet | null | undefined): void {
  if (set && set.kind !== kind)
    throw new AppError('invalid_request', { fields: { set: 'Это настройки другого инструмента' } });
}

async function insertRows(tx: Tx, accountId: number, batchId: string, rows: readonly NewRow[]): Promise<void> {
  const all = await tx.batchRow.findMany({
    where: { batchId },
    select: { position: true, stage: true, photoId: true },
    orderBy: { position: 'asc' },
  });
  if (all.length + rows.length > BATCH_ALL_ROWS_MAX) throw new AppError('batch_full');
  const photos = await getOwnPhotos(
    tx,
    accountId,
    rows.flatMap(({ photoId }) => photoId ?? []),
  );
  const byHash = await listPhotosByHash(
    tx,
    accountId,
    rows.flatMap(({ sha256 }) => sha256 ?? []),
  );
  const taken = new Set(all.filter(({ stage }) => stage !== 'refused').flatMap(({ photoId }) => photoId ?? []));
  let position = (all.at(-1)?.position ?? -1) + 1;
  let counted = all.filter(({ stage }) => stage !== 'refused').length;
  const data: Prisma.BatchRowCreateManyInput[] = [];
  for (const row of rows) {
    const picked = photos.find(({ id }) => id === row.photoId?.toLowerCase());
    const same = row.sha256 === undefined ? undefined : byHash.get(row.sha256);
    const refusal = findRefusal(row, counted);
    const photo = refusal ? undefined : (picked ?? same);
    const isDuplicate = photo !== undefined && (same !== undefined || taken.has(photo.id));
    const stage: RowStage = refusal ? 'refused' : isDuplicate ? 'duplicate' : photo ? 'ready' : 'uploading';
    if (stage !== 'refused') counted += 1;
    if (photo) taken.add(photo.id);
    data.push({
      id: row.id,
      batchId,
      position: position++,
      stage,
      name: cleanText(row.name) || (picked?.name ?? 'photo'),
      size: row.size ?? picked?.size ?? null,
      folder: row.folder ? cleanText(row.folder) : null,
      photoId: photo?.id ?? null,
      article: row.article ?? null,
      note: row.note ? cleanText(row.note) : null,
      ...(row.set ? { settings: row.set.settings } : {}),
      refusalCode: refusal,
    });
    if (stage === 'ready' && photo && row.article) await giveArticle(tx, accountId, photo.id, row.article);
  }
  await tx.batchRow.createMany({ data });
}

function findRefusal({ refusal, size = 0 }: NewRow, counted: number): ErrorCode | null {
  if (refusal) return refusal;
  if (size > PHOTO_MAX_BYTES) return 'photo_too_large';
  return counted >= BATCH_ROWS_MAX ? 'batch_full' : null;
}

/** PostgreSQL stores no NUL, and names are shown on one line. */
function cleanText(text: string): string {
  return [
    ...text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_MAX_LENGTH)
    .join('');
}

async function giveArticle(tx: Tx, accountId: number, photoId: string, article: string): Promise<void> {
  const productId = await ensureProduct(tx, accountId, article);
  await tx.photo.updateMany({ where: { id: photoId }, data: { productId, guessedArticle: null } });
}

/**
 * Refuses a row whose file cannot come, with the reason. One that has a photo, or is refused, stays as it is. Throws
 * batch_not_found, batch_forbidden, batch_row_not_found.
 */
export async function refuseRow(
  app: AppContext,
  viewer: Viewer,
  { batchId, rowId }: { batchId: string; rowId: string },
  code: ErrorCode,
): Promise<BatchRow> {
  await changeOwnBatch(app, viewer.id, batchId, (tx) =>
    tx.batchRow.updateMany({
      where: { id: rowId, batchId, stage: 'uploading' },
      data: { stage: 'refused', refusalCode: code },
    }),
  );
  return presentRow(app, viewer, batchId, rowId);
}

/**
 * Keeps the file of a row that waits for it: the row is ready then, a duplicate, or refused with the reason. A repeat
 * answers the row as it is. `isCounted`: whether the limit of uploads counts it. Throws batch_not_found, batch_forbidden,
 * batch_row_not_found, and what keepReceivedPhoto throws except faults of the file itself.
 */
export async function attachPhoto(
  app: AppContext,
  viewer: Viewer,
  { batchId, rowId }: { batchId: string; rowId: string },
  received: ReceivedPhoto,
  { isCounted = true } = {},
): Promise<BatchRow> {
  const row = await getOwnRow(app.db, viewer.id, batchId, rowId);
  if (row.stage !== 'uploading' || row.photoId !== null) return presentRow(app, viewer, batchId, row.id);
  const { sha256 } = received;
  const { idempotencyKey, photoId: ownId } = namePhotoOfRow(viewer.id, row.id);
  const same = (await listPhotosByHash(app.db, viewer.id, [sha256])).get(sha256);
  let outcome: Outcome;
  let surplus: Photo | null = null;
  if (same && same.id !== ownId) {
    outcome = { stage: 'duplicate', photoId: same.id, refusalCode: null };
  } else {
    try {
      const named = { ...received, name: row.name, folder: row.folder ?? undefined };
      const photo = await keepReceivedPhoto(app, viewer.id, named, { idempotencyKey, isCounted });
      // The same bytes may have arrived for another row meanwhile.
      const first = (await listPhotosByHash(app.db, viewer.id, [sha256])).get(sha256) ?? photo;
      if (first.id !== photo.id) surplus = photo;
      outcome = { stage: surplus ? 'duplicate' : 'ready', photoId: first.id, refusalCode: null };
    } catch (error) {
      if (!(error instanceof AppError) || !(PHOTO_ERRORS as readonly ErrorCode[]).includes(error.code)) throw error;
      outcome = { stage: 'refused', photoId: null, refusalCode: error.code };
    }
  }
  await settle(app, viewer.id, row, outcome);
  if (surplus) await removePhoto(app, surplus);
  return presentRow(app, viewer, batchId, row.id);
}

/**
 * Settles a row whose file is not sent: the account has a photo of the same bytes, or the client cannot use it. A row
 * that no longer waits for its file stays as it is. Throws batch_not_found, batch_forbidden, batch_row_not_found,
 * photo_not_found when the account has no such photo.
 */
export async function settleRow(
  app: AppContext,
  viewer: Viewer,
  { batchId, rowId }: { batchId: string; rowId: string },
  told: { sha256: string } | { refusal: ErrorCode },
): Promise<BatchRow> {
  const row = await getOwnRow(app.db, viewer.id, batchId, rowId);
  if (row.stage === 'uploading') {
    const outcome: Outcome =
      'refusal' in told
        ? { stage: 'refused', photoId: null, refusalCode: told.refusal }
        : await findSentPhoto(app, viewer.id, row.id, told.sha256);
    await settle(app, viewer.id, row, outcome);
  }
  return presentRow(app, viewer, batchId, row.id);
}

/** The photo of a file that was sent before: as a duplicate, unless this row itself has sent it. */
async function findSentPhoto(app: AppContext, accountId: number, rowId: string, sha256: string): Promise<Outcome> {
  const same = (await listPhotosByHash(app.db, accountId, [sha256])).get(sha256);
  if (!same) throw new AppError('photo_not_found');
  const isOwn = same.id === namePhotoOfRow(accountId, rowId).photoId;
  return { stage: isOwn ? 'ready' : 'duplicate', photoId: same.id, refusalCode: null };
}

/** What a row has come to that waited for its file. */
type Outcome = Pick<BatchRowRecord, 'stage' | 'photoId' | 'refusalCode'>;

/** What the photo is kept under that a row sends, so that a repeat keeps no second one. */
function namePhotoOfRow(accountId: number, rowId: string): { idempotencyKey: string; photoId: string } {
  const idempotencyKey = `batch-row/${rowId}`;
  return { idempotencyKey, photoId: deriveUuid(`photo/${accountId}/${idempotencyKey}`) };
}

async function settle(app: AppContext, accountId: number, row: BatchRowRecord, outcome: Outcome): Promise<void> {
  await changeOwnBatch(app, accountId, row.batchId, async (tx) => {
    const waiting = { id: row.id, batchId: row.batchId, stage: 'uploading' } as const;
    const changed = await tx.batchRow.updateMany({ where: waiting, data: outcome });
    if (changed.count === 0) return;
    if (outcome.stage === 'ready' && outcome.photoId && row.article) {
      await giveArticle(tx, accountId, outcome.photoId, row.article);
    }
  });
}

/** A row of a batch of this account. Throws batch_not_found, batch_forbidden, batch_row_not_found. */
async function getOwnRow(db: Db | Tx, accountId: number, batchId: string, rowId: string): Promise<BatchRowRecord> {
  await getOwnBatch(db, accountId, batchId);
  const row = isUuid(rowId) ? await db.batchRow.findFirst({ where: { id: rowId, batchId } }) : null;
  if (!row) throw new AppError('batch_row_not_found');
  return row;
}

/** One row as its owner sees it. Throws batch_not_found, batch_forbidden, batch_row_not_found. */
export async function presentRow(app: AppContext, viewer: Viewer, batchId: string, rowId: string): Promise<BatchRow> {
  const batch = await getOwnBatch(app.db, viewer.id, batchId);
  const [row] = isUuid(rowId) ? await presentRows(app, viewer, batch, [rowId]) : [];
  if (!row) throw new AppError('batch_row_not_found');
  return row;
}

/**
 * Changes a row that neither waits nor runs. Throws batch_not_found, batch_forbidden, batch_row_not_found, batch_rows_wait,
 * invalid_request for settings of another tool.
 */
export async function changeRow(
  app: AppContext,
  viewer: Viewer,
  { batchId, rowId }: { batchId: string; rowId: string },
  changes: { article?: string | null | undefined; note?: string | null | undefined; set?: BatchSet | null | undefined },
): Promise<BatchRow> {
  const { article, note, set } = changes;
  await changeOwnBatch(app, viewer.id, batchId, async (tx, batch) => {
    const row = await getOwnRow(tx, viewer.id, batchId, rowId);
    assertSameTool(batch.kind, set);
    if (set !== undefined && (await isInLine(tx, row))) throw new AppError('batch_rows_wait');
    await tx.batchRow.update({
      where: { id: row.id },
      data: {
        ...(article === undefined ? {} : { article }),
        ...(note === undefined ? {} : { note: note && cleanText(note) }),
        ...(set ? { settings: set.settings } : {}),
      },
    });
    if (set === null) await tx.$executeRaw`update batch_rows set settings = null where id = ${row.id}::uuid`;
    if (article !== undefined && row.photoId) await changeArticle(tx, viewer.id, row.photoId, article);
  });
  return presentRow(app, viewer, batchId, rowId);
}

async function isInLine(tx: Tx, { stage, generationId }: BatchRowRecord): Promise<boolean> {
  if (stage === 'waiting') return true;
  if (stage !== 'started' || generationId === null) return false;
  return (await tx.generation.count({ where: { id: generationId, status: { in: [...ACTIVE_STATUSES] } } })) > 0;
}

async function changeArticle(tx: Tx, accountId: number, photoId: string, article: string | null): Promise<void> {
  if (article !== null) return giveArticle(tx, accountId, photoId, article);
  await tx.photo.updateMany({ where: { id: photoId }, data: { productId: null, guessedArticle: null } });
}

/** Takes duplicates into the batch nevertheless. Throws batch_not_found, batch_forbidden. */
export async function keepDuplicates(
  app: AppContext,
  viewer: Viewer,
  batchId: string,
  rowIds: string[],
): Promise<ChangedRows> {
  await changeOwnBatch(app, viewer.id, batchId, (tx) =>
    tx.batchRow.updateMany({
      where: { batchId, id: { in: rowIds }, stage: 'duplicate', photoId: { not: null } },
      data: { stage: 'ready' },
    }),
  );
  return presentChanged(app, viewer, batchId, rowIds);
}

/** Removes rows of which nothing runs. Answers those that stay. Throws batch_not_found, batch_forbidden. */
export async function removeRows(
  app: AppContext,
  viewer: Viewer,
  batchId: string,
  rowIds: string[],
): Promise<ChangedRows> {
  await changeOwnBatch(app, viewer.id, batchId, (tx) =>
    tx.batchRow.deleteMany({
      where: {
        batchId,
        id: { in: rowIds },
        OR: [{ generationId: null }, { generation: { status: { notIn: [...ACTIVE_STATUSES] } } }],
      },
    }),
  );
  return presentChanged(app, viewer, batchId, rowIds);
}

async function presentChanged(
  app: AppContext,
  viewer: Viewer,
  batchId: string,
  rowIds: readonly string[],
): Promise<ChangedRows> {
  const record = await getOwnBatch(app.db, viewer.id, batchId);
  return { batch: await presentBatch(app, viewer, record), rows: await presentRows(app, viewer, record, rowIds) };
}
