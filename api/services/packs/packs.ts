import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { assertRoomFor } from '#api/services/core/storage-room.ts';
import { assertMayDownload } from '#api/services/gallery/downloads.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Pack as PackRecord } from '#prisma/generated/client.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { Pack, PackPreview } from '#shared/contract/packs.ts';
import { nameStem } from '#shared/rules/download-names.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#shared/rules/marketplaces.ts';
import {
  estimateBytes,
  listCollisions,
  listUnchecked,
  PACK_KEPT_BYTES_MAX,
  PACK_KEPT_DAYS,
  PACKS_MADE_AT_ONCE,
  PACKS_MAX,
} from '#shared/rules/packs.ts';
import { findPackContent, type PackOrder } from './pack-content.ts';

const KEPT_MS = PACK_KEPT_DAYS * 24 * 60 * 60_000;
/** Nobody makes a pack any more that was ordered so long ago. */
const ABANDONED_MS = 24 * 60 * 60_000;
/** The Swedish format is year-month-day. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Moscow' });

/** The files that a pack would have. Throws what findPackContent throws. */
export async function previewPack({ db }: AppContext, accountId: number, order: PackOrder): Promise<PackPreview> {
  const { files } = await findPackContent(db, accountId, order);
  return {
    files: files.map(({ item: { result }, path, extra, plan }) => ({
      path,
      thumbnailUrl: `/media/results/${result.generationId}/${result.position}/thumbnail`,
      changes: plan.changes,
      extra,
    })),
    collisions: listCollisions(files),
    unchecked: listUnchecked(
      files.map(({ item }) => item),
      order.marketplace,
    ),
  };
}

/**
 * Has a pack made, or answers the one that the same id has ordered before. The oldest ones give way when there are too
 * many. Throws premium_required, pack_forbidden for an id of somebody else, pack_names_collide, packs_busy, storage_full,
 * storage_unavailable, and what findPackContent throws.
 */
export async function createPack(
  app: AppContext,
  accountId: number,
  { id, ...order }: PackOrder & { id: string },
): Promise<Pack> {
  assertMayDownload(await getPremiumStatus(app, accountId));
  const known = await app.db.pack.findUnique({ where: { id } });
  if (known) return presentPack(requireOwn('pack', accountId, known));
  const { files, ...subject } = await findPackContent(app.db, accountId, order);
  if (listCollisions(files).length > 0) throw new AppError('pack_names_collide');
  await assertRoomFor(app, estimateBytes(files));
  const { marketplace, template } = order;
  const data = {
    id,
    accountId,
    marketplace,
    template,
    ...subject,
    resultIds: files.map(({ item }) => item.result.id),
    fileName: `${nameStem(`${MARKETPLACE_NAMES[marketplace]}_${subject.title}_${DAY.format(new Date())}`)}.zip`,
  };
  const { pack, removed } = await app.db.$transaction(async (tx) => {
    // Two requests at the same time are counted one after the other.
    await lockBalance(tx, accountId);
    const repeated = await tx.pack.findUnique({ where: { id } });
    if (repeated) return { pack: requireOwn('pack', accountId, repeated), removed: [] };
    const made = await tx.pack.count({ where: { accountId, status: 'making' } });
    if (made >= PACKS_MADE_AT_ONCE) throw new AppError('packs_busy');
    const removed = await tx.pack.findMany({
      where: { accountId, status: { not: 'making' } },
      orderBy: { createdAt: 'desc' },
      skip: PACKS_MAX - PACKS_MADE_AT_ONCE,
    });
    await tx.pack.deleteMany({ where: { id: { in: removed.map((old) => old.id) } } });
    const pack = await tx.pack.create({ data });
    // The second one of an account waits behind the first ones of others.
    await app.queue.send(tx, 'make-pack', { packId: id }, { priority: -made });
    await sendPackEvent(tx, pack);
    return { pack, removed };
  });
  for (const old of removed) await removePackFile(app, old);
  return presentPack(pack);
}

/** The packs that an account keeps, newest first. */
export async function listPacks({ db }: AppContext, accountId: number): Promise<{ packs: Pack[] }> {
  const packs = await db.pack.findMany({ where: { accountId }, orderBy: [{ createdAt: 'desc' }, { id: 'desc' }] });
  return { packs: packs.map(presentPack) };
}

/** The stored file of a pack. Throws pack_not_found, pack_forbidden, pack_not_ready, premium_required. */
export async function findPackFile(
  app: AppContext,
  accountId: number,
  id: string,
): Promise<{ key: string; bytes: number; fileName: string }> {
  const pack = await getOwnPack(app, accountId, id);
  assertMayDownload(await getPremiumStatus(app, accountId));
  if (pack.storageKey === null || pack.bytes === null) throw new AppError('pack_not_ready');
  return { key: pack.storageKey, bytes: Number(pack.bytes), fileName: pack.fileName };
}

/** Throws pack_not_found, pack_forbidden. */
export async function deletePack(app: AppContext, accountId: number, id: string): Promise<void> {
  await getOwnPack(app, accountId, id);
  // Read as it goes: it may have become ready meanwhile.
  const removed = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const pack = await tx.pack.findUnique({ where: { id } });
    await tx.pack.deleteMany({ where: { id } });
    if (pack) await sendPackEvent(tx, pack);
    return pack;
  });
  if (removed) await removePackFile(app, removed);
}

/**
 * Removes the rows of the oldest ready packs until the rest has no more bytes than an account keeps. Call it with the
 * account locked. Returns what was removed, of which the files are still there.
 */
export async function makeRoomForPack(tx: Tx, accountId: number): Promise<PackRecord[]> {
  const packs = await tx.pack.findMany({ where: { accountId, status: 'ready' }, orderBy: { finishedAt: 'desc' } });
  let bytes = 0;
  const removed = packs.filter((pack) => {
    bytes += Number(pack.bytes);
    return bytes > PACK_KEPT_BYTES_MAX;
  });
  await tx.pack.deleteMany({ where: { id: { in: removed.map((old) => old.id) } } });
  return removed;
}

/** Removes packs that were kept for a week. Returns their number. */
export async function removeOldPacks(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS);
  const old = await app.db.pack.findMany({ where: { finishedAt: { lt: before } }, take: 1_000 });
  for (const pack of old) {
    await removePackFile(app, pack);
    await app.db.pack.deleteMany({ where: { id: pack.id } });
  }
  return old.length;
}

/** Fails packs that nobody makes any more, so that their owners may order others. Returns their number. */
export async function failAbandonedPacks({ db }: Pick<AppContext, 'db'>): Promise<number> {
  const createdAt = { lt: new Date(Date.now() - ABANDONED_MS) };
  const abandoned = await db.pack.findMany({ where: { status: 'making', createdAt }, take: 1_000 });
  for (const pack of abandoned) await failPack({ db }, pack, 'pack_failed');
  return abandoned.length;
}

/** Ends a pack that is being made, and tells the pages of its owner why. */
export async function failPack(
  { db }: Pick<AppContext, 'db'>,
  pack: Pick<PackRecord, 'id' | 'accountId'>,
  failureCode: ErrorCode,
): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.pack.updateMany({
      where: { id: pack.id, status: 'making' },
      data: { status: 'failed', failureCode, finishedAt: new Date() },
    });
    await sendPackEvent(tx, pack);
  });
}

export function sendPackEvent(tx: Tx, { id, accountId }: Pick<PackRecord, 'id' | 'accountId'>): Promise<void> {
  return sendAccountEvent(tx, { accountId, event: 'pack', id });
}

async function getOwnPack({ db }: Pick<AppContext, 'db'>, accountId: number, id: string): Promise<PackRecord> {
  return requireOwn('pack', accountId, isUuid(id) ? await db.pack.findUnique({ where: { id } }) : null);
}

/** Removes the file of a pack, whose row is gone or goes. */
export async function removePackFile(
  { storage }: Pick<AppContext, 'storage'>,
  { storageKey }: PackRecord,
): Promise<void> {
  if (storageKey !== null) await storage.remove(storageKey);
}

function presentPack(pack: PackRecord): Pack {
  const { id, title, batchId, productId, template, status, done, extra, fileName } = pack;
  const { bytes, failureCode, finishedAt } = pack;
  return {
    id,
    title,
    batchId,
    productId,
    template,
    status,
    done,
    extra,
    fileName,
    marketplace: pack.marketplace as Marketplace,
    total: pack.resultIds.length,
    bytes: bytes === null ? null : Number(bytes),
    failure: failureCode === null ? null : ERRORS[failureCode as ErrorCode].message,
    createdAt: pack.createdAt.toISOString(),
    expiresAt: status === 'ready' && finishedAt ? new Date(finishedAt.getTime() + KEPT_MS).toISOString() : null,
  };
}
