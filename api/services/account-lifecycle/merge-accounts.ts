import type { Tx } from '#api/database/database.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { type EndSources, endGenerationWithin } from '#api/services/generations/running/outcome.ts';
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
 * Merges two accounts. Stars, photos, generations, results with the complaints about them, and payments of the first
 * then belong to the second, and the later word about the transfer abroad counts. The first keeps its rows of the
 * ledger and nothing else.
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
  await tx.photo.updateMany(owned);
  await tx.generation.updateMany(owned);
  await tx.result.updateMany(owned);
  await tx.resultReport.updateMany(owned);
  await tx.payment.updateMany(owned);
  await tx.analyticsEvent.updateMany(owned);
  const { interviewInvitedAt } = await tx.account.update({ where: { id: fromId }, data: { mergedIntoId: intoId } });
  await tx.account.updateMany({ where: { id: intoId, interviewInvitedAt: null }, data: { interviewInvitedAt } });
  return { stars, takenGift, endedGenerations };
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
    where: { accountId: { in: [fromId, intoId] }, status: { in: [...ACTIVE_STATUSES] } },
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
