import type { WithDb } from '#api/services/app-context.ts';
import { cutPage } from '#api/services/core/cursors.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { Prisma } from '#prisma/generated/client.ts';
import type { StarEntryKind } from '#prisma/generated/enums.ts';
import type { StarHistoryEntry } from '#shared/contract/stars.ts';
import { readFailureCode } from '#shared/rules/generation-lifecycle.ts';

interface HistoryPage {
  /** The id of the last row of the previous page. Absent for the first page. */
  cursor: string | undefined;
  limit: number;
}

interface FoldedRow {
  id: bigint;
  kind: StarEntryKind;
  delta: number;
  returned: number;
  balance: number;
}

/**
 * A page of an account's star movements, newest first, each with the balance after it. A hold and its capture become
 * one row in the place of the hold, with the amount that was finally spent. Movements of zero are left out. Rows of
 * merged accounts are included, without the transfers between them.
 */
export async function listStarHistory(
  app: WithDb,
  accountId: number,
  { cursor, limit }: HistoryPage,
): Promise<{ entries: StarHistoryEntry[]; nextCursor: string | null }> {
  const rows = await readFoldedRows(app, accountId, { cursor, limit: limit + 1 });
  const { page, last } = cutPage(rows, limit);
  const details = await app.db.starEntry.findMany({
    where: { id: { in: page.map(({ id }) => id) } },
    include: {
      generation: { select: { id: true, kind: true, settings: true, failureCode: true } },
      payment: { select: { id: true, packageName: true, amountMinor: true, currency: true, isTest: true } },
    },
  });
  const detailsOf = new Map(details.map((entry) => [entry.id, entry]));
  const entries = page.flatMap(({ id, kind, delta, returned, balance }) => {
    const entry = detailsOf.get(id);
    if (!entry) return [];
    const { createdAt, generation, payment, note } = entry;
    return {
      id: String(id),
      kind,
      delta,
      returned,
      balance,
      createdAt: createdAt.toISOString(),
      note,
      generation: generation && {
        id: generation.id,
        kind: generation.kind,
        made: resultKindOf(generation),
        failureCode: generation.failureCode === null ? null : readFailureCode(generation.failureCode),
      },
      payment: payment && {
        id: payment.id,
        packageName: payment.packageName,
        amountRub: payment.amountMinor / 100,
        currency: payment.currency === 'XTR' ? ('XTR' as const) : ('RUB' as const),
        isTest: payment.isTest,
      },
    };
  });
  return { entries, nextCursor: last ? String(last.id) : null };
}

/** Rows are combined before paging, so that every page is full. */
function readFoldedRows(app: WithDb, accountId: number, { cursor, limit }: HistoryPage): Promise<FoldedRow[]> {
  const before = cursor === undefined ? Prisma.empty : Prisma.sql`where id < ${BigInt(cursor)}`;
  return app.db.$queryRaw<FoldedRow[]>`
    with own as (
      select id, kind, delta, generation_id from star_entries
      where kind <> 'transfer'
        and account_id in (select id from accounts where id = ${accountId} or merged_into_id = ${accountId})
    ), folded as (
      select own.id, coalesce(capture.kind, own.kind) as kind, own.delta + coalesce(capture.delta, 0) as delta,
        coalesce(capture.delta, 0) as returned
      from own
      left join own capture
        on own.kind = 'hold' and capture.kind = 'capture' and capture.generation_id = own.generation_id
      where own.kind <> 'capture' or not exists (
        select from own hold where hold.kind = 'hold' and hold.generation_id = own.generation_id
      )
    ), balanced as (
      select id, kind, delta, returned, (sum(delta) over (order by id))::int as balance from folded where delta <> 0
    )
    select id, kind, delta, returned, balance from balanced ${before} order by id desc limit ${limit}`;
}
