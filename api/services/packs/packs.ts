import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { assertReadyForStart } from '#api/services/core/storage-room.ts';
import { assertMayDownload } from '#api/services/gallery/downloads.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Pack as PackRecord } from '#prisma/generated/client.ts';
import { ERRORS, type ErrorCode } from '#shared/contract/errors.ts';
import type { Pack, PackPreview, PackSubject } from '#shared/contract/packs.ts';
import { nameStem } from '#shared/rules/download-names.ts';
import { MARKETPLACE_NAMES, type Marketplace } from '#shared/rules/marketplaces.ts';
import {
  arrangePack,
  listCollisions,
  listUnchecked,
  PACK_KEPT_DAYS,
  PACKS_MADE_AT_ONCE,
  PACKS_MAX,
} from '#shared/rules/packs.ts';
import { describeItems, findPackContent } from './pack-content.ts';

const KEPT_MS = PACK_KEPT_DAYS * 24 * 60 * 60_000;
/** The Swedish format is year-month-day. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Moscow' });

export interface PackOrder {
  marketplace: Marketplace;
  subject: PackSubject;
  template: string;
}

/** The files that a pack would have. Throws what findPackContent throws. */
export async function previewPack({ db }: AppContext, accountId: number, order: PackOrder): Promise<PackPreview> {
  const { results } = await findPackContent(db, accountId, order.subject);
  const items = await describeItems(db, results);
  const files = arrangePack(items, order);
  return {
    files: files.map(({ item: { result }, path, extra, plan }) => ({
      path,
      thumbnailUrl: `/media/results/${result.generationId}/${result.position}/thumbnail`,
      changes: plan.changes,
      extra,
    })),
    collisions: listCollisions(files),
    unchecked: listUnchecked(items, order.marketplace),
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
  const { results, ...subject } = await findPackContent(app.db, accountId, order.subject);
  const files = arrangePack(await describeItems(app.db, results), order);
  if (listCollisions(files).length > 0) throw new AppError('pack_names_collide');
  await assertReadyForStart(app, []);
  const { marketplace, template } = order;
  const data = {
    ...{ id, accountId, marketplace, template, ...subject },
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
    await app.queue.send(tx, 'make-pack', { packId: id });
    await sendPackEvent(tx, pack);
    return { pack, removed };
  });
  for (const old of removed) await removeFile(app, old);
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
  if (removed) await removeFile(app, removed);
}

/** Removes packs that were kept for a week, and those that nobody makes any more. Returns their number. */
export async function removeOldPacks(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS);
  const old = await app.db.pack.findMany({
    where: { OR: [{ finishedAt: { lt: before } }, { finishedAt: null, createdAt: { lt: before } }] },
    take: 1_000,
  });
  for (const pack of old) {
    await removeFile(app, pack);
    await app.db.pack.deleteMany({ where: { id: pack.id } });
  }
  return old.length;
}

export function sendPackEvent(tx: Tx, { id, accountId }: Pick<PackRecord, 'id' | 'accountId'>): Promise<void> {
  return sendAccountEvent(tx, { accountId, event: 'pack', id });
}

async function getOwnPack({ db }: Pick<AppContext, 'db'>, accountId: number, id: string): Promise<PackRecord> {
  return requireOwn('pack', accountId, isUuid(id) ? await db.pack.findUnique({ where: { id } }) : null);
}

async function removeFile({ storage }: Pick<AppContext, 'storage'>, { storageKey }: PackRecord): Promise<void> {
  if (storageKey !== null) await storage.remove(storageKey);
}

function presentPack(pack: PackRecord): Pack {
  const { id, title, batchId, productId, status, done, extra, fileName, bytes, failureCode, finishedAt } = pack;
  return {
    ...{ id, title, batchId, productId, status, done, extra, fileName },
    marketplace: pack.marketplace as Marketplace,
    total: pack.resultIds.length,
    bytes: bytes === null ? null : Number(bytes),
    failure: failureCode === null ? null : ERRORS[failureCode as ErrorCode].message,
    createdAt: pack.createdAt.toISOString(),
    expiresAt: status === 'ready' && finishedAt ? new Date(finishedAt.getTime() + KEPT_MS).toISOString() : null,
  };
}
