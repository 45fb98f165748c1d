import { sendAccountEvent } from '#api/database/account-events.ts';
import { createRowId, type Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Viewer } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertConsents } from '#api/services/core/consents.ts';
import { getEngine } from '#api/services/core/tool-abilities.ts';
import { wakeLine } from '#api/services/core/wake-line.ts';
import { getOwnPhoto } from '#api/services/photos/photos.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Batch as BatchRecord } from '#prisma/generated/client.ts';
import type { Batch, BatchRow, BatchSet } from '#shared/contract/batches.ts';
import { BATCH_ROWS_MAX, OUTAGE_RETRIES, PILOT_ROWS, type RowState } from '#shared/rules/batches.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { isStartable, presentBatch, priceOfRow } from './batch-view.ts';
import { changeOwnBatch, getOwnBatch, insertBatch } from './batches.ts';
import { refreshLines } from './lines.ts';
import { priceOfSet } from './row-order.ts';
import { presentRow } from './rows.ts';
import { listRowsIn, stopWaiting } from './settle.ts';

/** What the caller tells with a command that spends stars. */
interface Agreement {
  /** The sum of the prices that the person has seen. */
  agreedStars: number;
  /** The same command with the same key is carried out once. Null: each time. */
  key: string | null;
}

type PricedRow = Awaited<ReturnType<typeof listRowsIn>>[number];

/**
 * Puts the ready rows of a batch in line, or the first three of them. Stars are held when a row starts, so fewer than all
 * need are no reason to refuse. Throws batch_not_found, batch_forbidden, batch_empty, price_changed,
 * batch_person_missing, consent_required, transfer_consent_required, deletion_asked, tool_not_offered.
 */
export async function startBatch(
  app: AppContext,
  viewer: Viewer,
  id: string,
  {
    isPilot,
    continuesAfterPurchase,
    ...agreed
  }: Agreement & {
    isPilot: boolean;
    continuesAfterPurchase?: boolean | undefined;
  },
): Promise<Batch> {
  await spend(app, viewer, id, agreed, async (tx, batch) => {
    const ready = await listRowsIn(tx, batch, ['ready']);
    if (continuesAfterPurchase !== undefined) {
      await tx.batch.update({ where: { id }, data: { continuesAfterPurchase } });
    }
    return isPilot ? ready.slice(0, PILOT_ROWS) : ready;
  });
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/**
 * Puts failed and stopped rows in line again: these, or all failed ones. Rows whose photo was deleted stay as they are.
 * Throws what startBatch throws.
 */
export async function repeatRows(
  app: AppContext,
  viewer: Viewer,
  id: string,
  { rowIds, ...agreed }: Agreement & { rowIds?: string[] | undefined },
): Promise<Batch> {
  await spend(app, viewer, id, agreed, async (tx, batch) => {
    const wanted = rowIds && new Set(rowIds);
    const states: RowState[] = wanted ? ['failed', 'stopped'] : ['failed'];
    return (await listRowsIn(tx, batch, states)).filter((row) => !wanted || wanted.has(row.id));
  });
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/**
 * Makes the results of a finished row again: free of charge where garments have drifted, once, otherwise at the price.
 * The earlier results stay. Throws what startBatch throws, batch_row_not_found, batch_row_not_done.
 */
export async function redoRow(
  app: AppContext,
  viewer: Viewer,
  { batchId, rowId }: { batchId: string; rowId: string },
  agreed: Agreement,
): Promise<BatchRow> {
  const { reroll } = await presentRow(app, viewer, batchId, rowId);
  const isReroll = reroll === 'offered';
  await spend(app, viewer, batchId, agreed, async (tx, batch) => {
    const row = (await listRowsIn(tx, batch, ['done'])).find(({ id }) => id === rowId.toLowerCase());
    if (!row) throw new AppError('batch_row_not_done');
    return [{ ...row, isReroll, stars: isReroll ? 0 : priceOfRow(batch, row) }];
  });
  return presentRow(app, viewer, batchId, rowId);
}

/** Carries a spending command out once: the rows that `choose` names wait, at the price that was agreed. */
async function spend(
  app: AppContext,
  viewer: Viewer,
  batchId: string,
  { agreedStars, key }: Agreement,
  choose: (tx: Tx, batch: BatchRecord) => Promise<PricedRow[]>,
): Promise<void> {
  await changeOwnBatch(app, viewer.id, batchId, async (tx, batch) => {
    if (key !== null && (await isRepeated(tx, batchId, key))) return;
    await assertMayStart(app, tx, viewer.id, batch);
    const rows = (await choose(tx, batch)).filter(isStartable);
    if (rows.length === 0) throw new AppError('batch_empty');
    if (rows.reduce((sum, { stars }) => sum + stars, 0) !== agreedStars) throw new AppError('price_changed');
    for (const { id, stars, isReroll } of rows) {
      await tx.batchRow.update({
        where: { id },
        data: {
          stage: 'waiting',
          agreedStars: stars,
          isReroll,
          retriesLeft: OUTAGE_RETRIES,
          refusalCode: null,
          isTaken: null,
        },
      });
    }
    await run(tx, batch);
  });
}

/** Returns whether the command was carried out before. Otherwise it counts as carried out from now on. */
async function isRepeated(tx: Tx, batchId: string, key: string): Promise<boolean> {
  const { count } = await tx.batchCommand.createMany({ data: [{ batchId, key }], skipDuplicates: true });
  return count === 0;
}

/** In a paused batch new rows join what waits. It goes on when its owner agrees to the sum of all, or by itself. */
async function run(tx: Tx, { id, status, startedAt }: BatchRecord): Promise<void> {
  if (status === 'paused') return;
  await tx.batch.update({
    where: { id },
    data: {
      status: 'running',
      startedAt: startedAt ?? new Date(),
      ...(status === 'open' ? { runs: { increment: 1 } } : {}),
    },
  });
}

/** Throws what would pause the batch at once for a reason that its owner can do something about now. */
async function assertMayStart(
  app: AppContext,
  tx: Tx,
  accountId: number,
  { kind, personPhotoId }: Pick<BatchRecord, 'kind' | 'personPhotoId'>,
): Promise<void> {
  const engine = getEngine(app, kind);
  const { deletionAskedAt, ...agreed } = await tx.account.findUniqueOrThrow({
    where: { id: accountId },
    select: { deletionAskedAt: true, consentVersion: true, transferConsentVersion: true },
  });
  if (deletionAskedAt) throw new AppError('deletion_asked');
  assertConsents(agreed, engine.photosTravel);
  const needsPerson = TOOLS[kind].inputs.some((role) => role === 'person');
  if (needsPerson && personPhotoId === null) throw new AppError('batch_person_missing');
}

/**
 * No more rows start until its owner lets it go on, whatever has paused it before. Those that run are finished. Throws
 * batch_not_found, batch_forbidden.
 */
export async function pauseBatch(app: AppContext, viewer: Viewer, id: string): Promise<Batch> {
  await changeOwnBatch(app, viewer.id, id, (tx) =>
    tx.batch.updateMany({
      where: { id, status: { in: ['running', 'paused'] } },
      data: { status: 'paused', pauseCode: 'by_owner', resumesAt: null },
    }),
  );
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/**
 * Goes on with what waits, at the present price. Throws batch_not_found, batch_forbidden, price_changed, deletion_asked.
 */
export async function resumeBatch(
  app: AppContext,
  viewer: Viewer,
  id: string,
  { agreedStars }: { agreedStars: number },
): Promise<Batch> {
  await changeOwnBatch(app, viewer.id, id, async (tx, batch) => {
    if (batch.status !== 'paused') return;
    await assertMayStart(app, tx, viewer.id, batch);
    const waiting = await listRowsIn(tx, batch, ['waiting']);
    if (waiting.reduce((sum, { stars }) => sum + stars, 0) !== agreedStars) throw new AppError('price_changed');
    for (const { id: rowId, stars } of waiting) {
      await tx.batchRow.update({ where: { id: rowId }, data: { agreedStars: stars } });
    }
    await tx.batch.update({ where: { id }, data: { status: 'running', pauseCode: null, resumesAt: null } });
  });
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/** Stops what waits. What runs is finished. Throws batch_not_found, batch_forbidden. */
export async function stopBatch(app: AppContext, viewer: Viewer, id: string): Promise<Batch> {
  await changeOwnBatch(app, viewer.id, id, async (tx, batch) => {
    await stopWaiting(tx, id);
    const running = await listRowsIn(tx, batch, ['running']);
    const status = running.length > 0 ? 'running' : 'open';
    await tx.batch.update({ where: { id }, data: { status, pauseCode: null, resumesAt: null, seenRun: batch.runs } });
  });
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/**
 * Records what is taken of the results; null takes a decision back. Of several decisions about a row the last one counts.
 * Rows that are not done are passed over. Throws batch_not_found, batch_forbidden.
 */
export async function reviewRows(
  app: AppContext,
  viewer: Viewer,
  id: string,
  decisions: readonly { rowId: string; isTaken: boolean | null }[],
): Promise<Batch> {
  await changeOwnBatch(app, viewer.id, id, async (tx) => {
    const last = new Map(decisions.map(({ rowId, isTaken }) => [rowId.toLowerCase(), isTaken]));
    for (const isTaken of [true, false, null]) {
      const rowIds = [...last.keys()].filter((rowId) => last.get(rowId) === isTaken);
      if (rowIds.length === 0) continue;
      await tx.batchRow.updateMany({
        where: { batchId: id, id: { in: rowIds }, stage: 'started', generation: { status: 'completed' } },
        data: { isTaken },
      });
    }
  });
  return presentBatch(app, viewer, await getOwnBatch(app.db, viewer.id, id));
}

/**
 * Puts one photo with its settings in the account's own line of the tool, behind what runs. A repeat with the same row id
 * answers the same row. Throws what startBatch throws, photo_not_found, photo_forbidden.
 */
export async function queueRow(
  app: AppContext,
  viewer: Viewer,
  order: {
    rowId: string;
    set: BatchSet;
    photoId: string;
    personPhotoId?: string | null | undefined;
    agreedStars: number;
  },
): Promise<{ batch: Batch; row: BatchRow }> {
  const { rowId, set, photoId, personPhotoId = null, agreedStars } = order;
  const batchId = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, viewer.id);
    const known = await tx.batchRow.findUnique({ where: { id: rowId }, include: { batch: true } });
    if (known) {
      if (known.batch.accountId !== viewer.id) throw new AppError('invalid_request');
      return known.batchId;
    }
    await assertMayStart(app, tx, viewer.id, { kind: set.kind, personPhotoId });
    if (priceOfSet(set) !== agreedStars) throw new AppError('price_changed');
    const photo = await getOwnPhoto(tx, viewer.id, photoId);
    if (personPhotoId !== null) await getOwnPhoto(tx, viewer.id, personPhotoId);
    const batch = await ensureQueue(tx, viewer.id, set, personPhotoId);
    const last = await tx.batchRow.findFirst({ where: { batchId: batch.id }, orderBy: { position: 'desc' } });
    await tx.batchRow.create({
      data: {
        id: rowId,
        batchId: batch.id,
        position: (last?.position ?? -1) + 1,
        stage: 'waiting',
        name: photo.name,
        size: photo.size,
        photoId: photo.id,
        settings: set.settings,
        agreedStars,
        retriesLeft: OUTAGE_RETRIES,
      },
    });
    await run(tx, batch);
    await refreshLines(tx, viewer.id);
    await wakeLine(app, tx, viewer.id);
    await sendAccountEvent(tx, { accountId: viewer.id, event: 'batch', id: batch.id });
    return batch.id;
  });
  const record = await getOwnBatch(app.db, viewer.id, batchId);
  return { batch: await presentBatch(app, viewer, record), row: await presentRow(app, viewer, batchId, rowId) };
}

/** The batch of the line that has room, with the same person; otherwise a new one. */
async function ensureQueue(
  tx: Tx,
  accountId: number,
  set: BatchSet,
  personPhotoId: string | null,
): Promise<BatchRecord> {
  const newest = await tx.batch.findFirst({
    where: { accountId, kind: set.kind, isQueue: true, personPhotoId },
    orderBy: { createdAt: 'desc' },
    include: { _count: { select: { rows: true } } },
  });
  if (newest && newest._count.rows < BATCH_ROWS_MAX) return newest;
  const name = `Очередь: ${TOOLS[set.kind].name}`;
  return insertBatch(tx, accountId, { id: createRowId(), name, set, personPhotoId, isQueue: true });
}
