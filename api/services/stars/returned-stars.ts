import type { Tx } from '#api/database/database.ts';

/** Begins the causes of what came back for lost files. */
export const LOSS = 'lost_result:';

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
export async function listReturnedForReports(
  { db }: Ledger,
  reportIds: readonly string[],
): Promise<Map<string, number>> {
  const idOf = new Map(reportIds.map((id) => [nameReportReturn(id), id]));
  const entries = await db.starEntry.findMany({ where: { causeKey: { in: [...idOf.keys()] } } });
  return new Map(entries.map(({ causeKey, delta }) => [idOf.get(causeKey) ?? '', delta]));
}

/** An output of the generation that was paid for. Its price belongs to it and comes back once. */
export interface PaidOutput {
  generationId: string;
  /** Null when nobody knows it any more, because the result was removed. */
  position: number | null;
}

/** What came back for one output. */
export interface Repayment {
  stars: number;
  /** Whether the file was lost. If not, the stars came back by a complaint. */
  isForLoss: boolean;
}

/** What came back for the outputs of several generations that were paid for. Find one with nameOutput. */
export async function listRepaid({ db }: Ledger, generationIds: readonly string[]): Promise<Map<string, Repayment>> {
  const entries = await db.starEntry.findMany({
    where: { generationId: { in: [...generationIds] }, resultPosition: { not: null } },
  });
  return new Map(
    entries.map(({ generationId, resultPosition, causeKey, delta }) => [
      nameOutput({ generationId: generationId ?? '', position: resultPosition }),
      { stars: delta, isForLoss: causeKey.startsWith(LOSS) },
    ]),
  );
}

/** The outputs of one generation whose price has come back, whatever the cause. */
export async function listRepaidPositions({ db }: Ledger, generationId: string): Promise<Set<number>> {
  const entries = await db.starEntry.findMany({
    where: { generationId, resultPosition: { not: null } },
    select: { resultPosition: true },
  });
  return new Set(entries.flatMap(({ resultPosition }) => resultPosition ?? []));
}

/** The key of an output in listRepaid. */
export function nameOutput({ generationId, position }: PaidOutput): string {
  return `${generationId}/${position}`;
}

/** The cause of the ledger's entry. */
export function nameReportReturn(reportId: string): string {
  return `report:${reportId}`;
}

/** The cause of the ledger's entry. */
export function nameLossReturn(resultId: string): string {
  return `${LOSS}${resultId}`;
}
