import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Db, Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { cutPage, formatTimeCursor, parseTimeCursor, type TimedRow } from '#api/services/core/cursors.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { getBalance, lockBalance } from '#api/services/stars/ledger.ts';
import type { Batch as BatchRecord, Prisma } from '#prisma/generated/client.ts';
import type { Batch, BatchRow, BatchSet, ListedBatch } from '#shared/contract/batches.ts';
import { BATCHES_MAX } from '#shared/rules/batches.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { describeBatch, listCountedRows, presentBatch, presentBatchWithRows } from './batch-view.ts';
import { refreshLines } from './lines.ts';

const COVERS = 4;

/** A batch of this account. Throws batch_not_found, batch_forbidden. */
export async function getOwnBatch(db: Db | Tx, accountId: number, id: string): Promise<BatchRecord> {
  return requireOwn('batch', accountId, isUuid(id) ? await db.batch.findUnique({ where: { id } }) : null);
}

/**
 * Changes a batch in a transaction of its own. The account is locked first, as every start of a row does, so nothing of
 * the batch changes meanwhile. Its pages are told. Throws batch_not_found, batch_forbidden, and what `work` throws.
 */
export async function changeOwnBatch<T>(
  app: Pick<AppContext, 'db' | 'queue'>,
  accountId: number,
  id: string,
  work: (tx: Tx, batch: BatchRecord) => Promise<T>,
): Promise<T> {
  return app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const result = await work(tx, await getOwnBatch(tx, accountId, id));
    await refreshLines(tx, accountId);
    await wakeLine(app, tx, accountId);
    await sendAccountEvent(tx, { accountId, event: 'batch', id });
    return result;
  });
}

/** One page of the batches of an account, newest first. Throws invalid_request for an invalid cursor. */
export async function listBatches(
  app: AppContext,
  viewer: Viewer,
  { cursor, limit, lineOf }: { cursor?: string | undefined; limit: number; lineOf?: GenerationKind | undefined },
): Promise<{ batches: ListedBatch[]; nextCursor: string | null }> {
  const found = await app.db.batch.findMany({
    where: {
      accountId: viewer.id,
      ...(cursor === undefined ? {} : isBefore(parseTimeCursor(cursor))),
      ...(lineOf && { kind: lineOf, isQueue: true, status: { not: 'open' } }),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const { page, last } = cutPage(found, limit);
  const rows = Map.groupBy(
    await listCountedRows(
      app.db,
      page.map(({ id }) => id),
    ),
    ({ batchId }) => batchId,
  );
  const balance = await getBalance(app, viewer.id);
  const batches: ListedBatch[] = [];
  for (const batch of page) {
    const described = await describeBatch(app, viewer, batch, rows.get(batch.id) ?? [], balance);
    batches.push({ ...described, covers: await listCovers(app.db, batch.id) });
  }
  return { batches, nextCursor: last ? formatTimeCursor(last) : null };
}

/** Matches what stands further down in the list. */
function isBefore({ createdAt, id }: TimedRow): Prisma.BatchWhereInput {
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] };
}

async function listCovers(db: Db, batchId: string): Promise<string[]> {
  const rows = await db.batchRow.findMany({
    where: { batchId, photoId: { not: null }, stage: { not: 'duplicate' } },
    orderBy: { position: 'asc' },
    take: COVERS,
    select: { photoId: true },
  });
  return rows.map(({ photoId }) => `/media/photos/${photoId}/thumbnail`);
}

/** A batch with all its rows. Throws batch_not_found, batch_forbidden. */
export async function getBatch(
  app: AppContext,
  viewer: Viewer,
  id: string,
): Promise<{ batch: Batch; rows: BatchRow[] }> {
  const record = await getOwnBatch(app.db, viewer.id, id);
  return presentBatchWithRows(app, viewer, record);
}

export interface NewBatch {
  id: string;
  name?: string | undefined;
  set: BatchSet;
  personPhotoId?: string | null | undefined;
}

/**
 * Makes an empty batch, or answers the one that the same id has made before. Throws batches_full, batch_forbidden for an
 * id of somebody else, photo_not_found, photo_forbidden.
 */
export async function createBatch(app: AppContext, viewer: Viewer, batch: NewBatch): Promise<Batch> {
  const accountId = viewer.id;
  const record = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const known = await tx.batch.findUnique({ where: { id: batch.id } });
    if (known) return requireOwn('batch', accountId, known);
    if ((await tx.batch.count({ where: { accountId } })) >= BATCHES_MAX) throw new AppError('batches_full');
    return insertBatch(tx, accountId, batch);
  });
  return presentBatch(app, viewer, record);
}

/** Inserts a batch for the account, which is locked. Throws photo_not_found, photo_forbidden. */
export async function insertBatch(
  tx: Tx,
  accountId: number,
  { id, name, set: { kind, settings }, personPhotoId, isQueue = false }: NewBatch & { isQueue?: boolean },
): Promise<BatchRecord> {
  if (personPhotoId) await getOwnPhoto(tx, accountId, personPhotoId);
  return tx.batch.create({
    data: {
      id,
      accountId,
      kind,
      settings,
      isQueue,
      name: name ?? (await nameBatch(tx, accountId, kind)),
      personPhotoId: personPhotoId ?? null,
    },
  });
}

const DAY = new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', timeZone: 'Europe/Moscow' });

function nameByDay(kind: BatchSet['kind'], day: Date): string {
  return `${TOOLS[kind].name}, ${DAY.format(day)}`;
}

/** The name of a batch that its owner has not named: «Смена фона, 29 ноября», and with a number from the second one on. */
async function nameBatch(tx: Tx, accountId: number, kind: BatchSet['kind'], day = new Date()): Promise<string> {
  const name = nameByDay(kind, day);
  const taken = await tx.batch.count({ where: { accountId, name: { startsWith: name } } });
  return taken === 0 ? name : `${name} (${taken + 1})`;
}

export interface BatchChanges {
  name?: string | undefined;
  set?: BatchSet | undefined;
  personPhotoId?: string | null | undefined;
  continuesAfterPurchase?: boolean | undefined;
}

/**
 * Changes what was asked for. Settings cannot be changed while rows wait, because their price is agreed, and the tool not
 * once something was made. Throws batch_not_found, batch_forbidden, batch_rows_wait, invalid_request for another tool,
 * photo_not_found, photo_forbidden.
 */
export async function changeBatch(app: AppContext, viewer: Viewer, id: string, changes: BatchChanges): Promise<Batch> {
  const { name, set, personPhotoId, continuesAfterPurchase } = changes;
  const record = await changeOwnBatch(app, viewer.id, id, async (tx, batch) => {
    if (set || personPhotoId !== undefined) {
      const waiting = await tx.batchRow.count({ where: { batchId: id, stage: 'waiting' } });
      if (waiting > 0) throw new AppError('batch_rows_wait');
    }
    const isOtherTool = set !== undefined && set.kind !== batch.kind;
    if (isOtherTool) await changeTool(tx, id);
    // The name that a batch gets by itself says its tool.
    const isNamedByTool = batch.name.startsWith(nameByDay(batch.kind, batch.createdAt));
    const renamed =
      isOtherTool && isNamedByTool ? await nameBatch(tx, viewer.id, set.kind, batch.createdAt) : undefined;
    if (personPhotoId) await getOwnPhoto(tx, viewer.id, personPhotoId);
    return tx.batch.update({
      where: { id },
      data: {
        ...(name === undefined && renamed === undefined ? {} : { name: name ?? renamed ?? batch.name }),
        ...(set ? { kind: set.kind, settings: set.settings } : {}),
        ...(personPhotoId === undefined ? {} : { personPhotoId }),
        ...(continuesAfterPurchase === undefined ? {} : { continuesAfterPurchase }),
      },
    });
  });
  return presentBatch(app, viewer, record);
}

/** Settings of single rows belong to the former tool. Throws invalid_request when something was made with it. */
async function changeTool(tx: Tx, batchId: string): Promise<void> {
  if ((await tx.batchRow.count({ where: { batchId, attempts: { gt: 0 } } })) > 0) {
    throw new AppError('invalid_request', { message: 'Инструмент можно сменить, пока в партии ничего не создано' });
  }
  await tx.$executeRaw`update batch_rows set settings = null where batch_id = ${batchId}::uuid`;
}

/** Removes a batch with its rows; photos and results stay. Throws batch_not_found, batch_forbidden, batch_runs. */
export async function deleteBatch(app: AppContext, accountId: number, id: string): Promise<void> {
  await changeOwnBatch(app, accountId, id, async (tx) => {
    const running = await tx.generation.count({ where: { batchId: id, status: { in: [...ACTIVE_STATUSES] } } });
    const waiting = await tx.batchRow.count({ where: { batchId: id, stage: 'waiting' } });
    if (running + waiting > 0) throw new AppError('batch_runs');
    await tx.batch.delete({ where: { id } });
  });
}

/** Records that its owner has seen it at rest. Throws batch_not_found, batch_forbidden. */
export async function seeBatch({ db }: Pick<AppContext, 'db'>, accountId: number, id: string): Promise<void> {
  const { runs } = await getOwnBatch(db, accountId, id);
  await db.batch.updateMany({ where: { id, status: 'open', runs }, data: { seenRun: runs } });
}
