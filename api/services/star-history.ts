import type { AppContext } from '#api/app-context.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import type { StarHistoryEntry } from '#shared/contract/stars.ts';
import { type MadeSources, whatIsMade } from './what-is-made.ts';

interface HistoryPage {
  /** Id of the last row of the page before; absent for the first. */
  cursor: string | undefined;
  limit: number;
}

/**
 * A page of an account's ledger, newest first, each row with the balance that it left. Rows of accounts that were merged
 * into it stand among its own, as if they had been one from the beginning; what moved between them is left out.
 */
export async function listStarHistory(
  app: Pick<AppContext, 'db'> & MadeSources,
  accountId: number,
  { cursor, limit }: HistoryPage,
): Promise<{ entries: StarHistoryEntry[]; nextCursor: string | null }> {
  const isOwn = await describeOwnEntries(app, accountId);
  const rows = await app.db.starEntry.findMany({
    where: { ...isOwn, ...(cursor === undefined ? {} : { id: { lt: BigInt(cursor) } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
    include: {
      generation: { select: { id: true, kind: true, settings: true } },
      payment: { select: { id: true, packageName: true, amountKopecks: true, currency: true } },
    },
  });
  const page = rows.slice(0, limit);
  let balance = page[0] ? await sumUntil(app, isOwn, page[0].id) : 0;
  const entries = page.map(({ id, kind, delta, createdAt, generation, payment, note }) => {
    const after = balance;
    balance -= delta;
    return {
      ...{ id: String(id), kind, delta, balance: after, createdAt: createdAt.toISOString(), note },
      generation: generation && { id: generation.id, kind: generation.kind, made: whatIsMade(app, generation) },
      payment: payment && {
        id: payment.id,
        packageName: payment.packageName,
        amountRub: payment.amountKopecks / 100,
        currency: payment.currency === 'XTR' ? ('XTR' as const) : ('RUB' as const),
      },
    };
  });
  return { entries, nextCursor: rows.length > limit ? String(page.at(-1)?.id) : null };
}

async function describeOwnEntries(app: Pick<AppContext, 'db'>, accountId: number): Promise<Prisma.StarEntryWhereInput> {
  const merged = await app.db.account.findMany({ where: { mergedIntoId: accountId }, select: { id: true } });
  return { accountId: { in: [accountId, ...merged.map(({ id }) => id)] }, kind: { not: 'transfer' } };
}

async function sumUntil(app: Pick<AppContext, 'db'>, isOwn: Prisma.StarEntryWhereInput, id: bigint): Promise<number> {
  const { _sum } = await app.db.starEntry.aggregate({ where: { ...isOwn, id: { lte: id } }, _sum: { delta: true } });
  return _sum.delta ?? 0;
}
