import type { Tx } from '#api/db.ts';

type Ledger = { db: Pick<Tx, 'starEntry'> };

/** Stars that several generations have cost so far, by generation id. */
export async function listStarsSpent({ db }: Ledger, generationIds: readonly string[]): Promise<Map<string, number>> {
  const sums = await db.starEntry.groupBy({
    by: ['generationId'],
    where: { generationId: { in: [...generationIds] } },
    _sum: { delta: true },
  });
  return new Map(sums.map(({ generationId, _sum }) => [generationId ?? '', 0 - (_sum.delta ?? 0)]));
}

/** Stars that came back because of these complaints, by the complaint's id. */
export function listReturnedForReports({ db }: Ledger, reportIds: readonly string[]): Promise<Map<string, number>> {
  return listReturned(db, reportIds, nameReportReturn);
}

/** Stars that came back because files were lost, by the result's id. */
export function listReturnedForLosses({ db }: Ledger, resultIds: readonly string[]): Promise<Map<string, number>> {
  return listReturned(db, resultIds, nameLossReturn);
}

async function listReturned(
  db: Pick<Tx, 'starEntry'>,
  ids: readonly string[],
  nameCause: (id: string) => string,
): Promise<Map<string, number>> {
  const idOf = new Map(ids.map((id) => [nameCause(id), id]));
  const entries = await db.starEntry.findMany({ where: { causeKey: { in: [...idOf.keys()] } } });
  return new Map(entries.map(({ causeKey, delta }) => [idOf.get(causeKey) ?? '', delta]));
}

/** The cause of the ledger's entry. */
export function nameReportReturn(reportId: string): string {
  return `report:${reportId}`;
}

/** The cause of the ledger's entry. */
export function nameLossReturn(resultId: string): string {
  return `lost_result:${resultId}`;
}
