import type { Tx } from '#api/database/database.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { refreshLines } from '#api/services/batches/lines.ts';
import { moveResults } from '#api/services/gallery/assign-product.ts';
import { type EndSources, endGenerationWithin } from '#api/services/generations/running/outcome.ts';
import { moveSettingSets } from '#api/services/generations/tools/tool-settings.ts';
import { lockBalance, transferStars } from '#api/services/stars/ledger.ts';
import { ACTIVE_STATUSES } from '#shared/rules/generation-lifecycle.ts';

export interface Merging {
  stars: number;
  /** Sign-up stars that did not move, because the other account had its own. */
  takenGift: number;
  /** Generations that were ended because one of their kind runs in the other account. Their stars moved too. */
  endedGenerations: number;
}

export const NOTHING_MOVED: Merging = { stars: 0, takenGift: 0, endedGenerations: 0 };

/**
 * Merges two accounts. Stars, products, photos, batches, generations, results with the complaints about them, and
 * payments of the first then belong to the second, and the later word about the transfer abroad counts. The first keeps
 * its rows of the ledger and nothing else.
 */
export async function mergeAccounts(
  app: EndSources,
  tx: Tx,
  { fromId, intoId }: { fromId: number; intoId: number },
): Promise<Merging> {
  // Always in the same order. Otherwise two merges at once would deadlock.
  for (const id of [fromId, intoId].sort((a, b) => a - b)) await lockBalance(tx, id);
  const endedGenerations = await endRivals(app, tx, fromId, intoId);
  await joinTransferConsents(tx, fromId, intoId);
  const { stars, takenGift } = await transferStars(tx, { fromId, intoId });
  const owned = { where: { accountId: fromId }, data: { accountId: intoId } };
  await joinProducts(tx, fromId, intoId);
  await moveSettingSets(tx, fromId, intoId);
  await tx.photo.updateMany(owned);
  await tx.batch.updateMany(owned);
  await tx.pack.updateMany(owned);
  await tx.batchLine.deleteMany({ where: { accountId: fromId } });
  await refreshLines(tx, intoId);
  await tx.generation.updateMany(owned);
  await tx.result.updateMany(owned);
  await tx.resultReport.updateMany(owned);
  await tx.payment.updateMany(owned);
  await tx.analyticsEvent.updateMany(owned);
  const { interviewInvitedAt } = await tx.account.update({ where: { id: fromId }, data: { mergedIntoId: intoId } });
  await tx.account.updateMany({ where: { id: intoId, interviewInvitedAt: null }, data: { interviewInvitedAt } });
  return { stars, takenGift, endedGenerations };
}

/**
 * Products with the same article become one, where results of the first are counted on. The numbers of all other names
 * go on where the higher account was.
 */
async function joinProducts(tx: Tx, fromId: number, intoId: number): Promise<void> {
  const same = await tx.$queryRaw<{ fromProduct: string; intoProduct: string }[]>`
    select gone.id as "fromProduct", kept.id as "intoProduct"
    from products as gone join products as kept on kept.article_key = gone.article_key
    where gone.account_id = ${fromId} and kept.account_id = ${intoId}`;
  for (const { fromProduct, intoProduct } of same) {
    const moved = { where: { productId: fromProduct }, data: { productId: intoProduct } };
    await moveResults(
      tx,
      intoId,
      await tx.result.findMany({ where: moved.where, orderBy: { id: 'asc' } }),
      intoProduct,
    );
    await tx.photo.updateMany(moved);
    await tx.generation.updateMany(moved);
    await tx.product.delete({ where: { id: fromProduct } });
  }
  await tx.product.updateMany({ where: { accountId: fromId }, data: { accountId: intoId } });
  await tx.$executeRaw`
    insert into result_numbers (account_id, name_key, made, last)
    select ${intoId}, name_key, made, last from result_numbers where account_id = ${fromId}
    on conflict (account_id, name_key, made) do update set last = greatest(result_numbers.last, excluded.last)`;
  await tx.resultNumber.deleteMany({ where: { accountId: fromId } });
}

/** The later word of the two counts for what both have started: a consent to the transfer abroad, or its withdrawal. */
async function joinTransferConsents(tx: Tx, fromId: number, intoId: number): Promise<void> {
  const [said, kept] = [await readTransferWord(tx, fromId), await readTransferWord(tx, intoId)];
  if (said.at > kept.at) await tx.account.update({ where: { id: intoId }, data: said.word });
}

async function readTransferWord(tx: Tx, id: number) {
  const word = await tx.account.findUniqueOrThrow({
    where: { id },
    select: { transferConsentVersion: true, transferConsentAt: true, transferWithdrawnAt: true },
  });
  return { word, at: Math.max(word.transferConsentAt?.getTime() ?? 0, word.transferWithdrawnAt?.getTime() ?? 0) };
}

/** Whether an account has anything that is its owner's, and not only the sign-up stars. */
export async function isInUse(db: Pick<Tx, 'account'>, accountId: number): Promise<boolean> {
  const owned = await db.account.count({
    where: {
      id: accountId,
      OR: [
        { starEntries: { some: { kind: { not: 'signup_bonus' } } } },
        { photos: { some: {} } },
        { generations: { some: {} } },
        { payments: { some: {} } },
      ],
    },
  });
  return owned > 0;
}

/** An account may run one generation of a kind. If both accounts run one, that of the disappearing account is ended. */
async function endRivals(app: EndSources, tx: Tx, fromId: number, intoId: number): Promise<number> {
  const active = await tx.generation.findMany({
    where: { accountId: { in: [fromId, intoId] }, batchId: null, status: { in: [...ACTIVE_STATUSES] } },
  });
  const staying = new Set(active.filter(({ accountId }) => accountId === intoId).map(({ kind }) => kind));
  const rivals = active.filter(({ accountId, kind }) => accountId === fromId && staying.has(kind));
  for (const rival of rivals) await endGenerationWithin(app, tx, rival, 'cancelled');
  return rivals.length;
}

/** The accounts and all that were merged into them. Together they belong to one person. */
export async function listWithMerged(app: WithDb, accountIds: number[]): Promise<number[]> {
  const merged = await app.db.account.findMany({ where: { mergedIntoId: { in: accountIds } }, select: { id: true } });
  if (merged.length === 0) return accountIds;
  const more = merged.map(({ id }) => id);
  return [...accountIds, ...(await listWithMerged(app, more))];
}
