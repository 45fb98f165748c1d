import type { Tx } from '#api/database/database.ts';
import type { StarEntry } from '#prisma/generated/client.ts';

/** These begin the causes. */
const REPORT = 'report:';
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
export async function listRepaid(
  { db }: { db: Pick<Tx, 'starEntry' | 'resultReport' | 'result'> },
  generationIds: readonly string[],
): Promise<Map<string, Repayment>> {
  const entries = await db.starEntry.findMany({
    where: {
      generationId: { in: [...generationIds] },
      OR: [REPORT, LOSS].map((cause) => ({ causeKey: { startsWith: cause } })),
    },
  });
  const unlocated = entries.filter(({ resultPosition }) => resultPosition === null);
  const positions = unlocated.length > 0 ? await locateCauses(db, unlocated) : new Map<string, number>();
  return new Map(
    entries.map(({ generationId, resultPosition, causeKey, delta }) => [
      nameOutput({ generationId: generationId ?? '', position: resultPosition ?? positions.get(causeKey) ?? null }),
      { stars: delta, isForLoss: causeKey.startsWith(LOSS) },
    ]),
  );
}

/** The outputs of entries that an older version has written, by cause, as far as their results are still there. */
async function locateCauses(
  db: Pick<Tx, 'resultReport' | 'result'>,
  entries: readonly Pick<StarEntry, 'causeKey'>[],
): Promise<Map<string, number>> {
  const idsOf = (cause: string) =>
    entries.flatMap(({ causeKey }) => (causeKey.startsWith(cause) ? [causeKey.slice(cause.length)] : []));
  const reports = await db.resultReport.findMany({
    where: { id: { in: idsOf(REPORT) } },
    select: { id: true, result: { select: { position: true } } },
  });
  const results = await db.result.findMany({
    where: { id: { in: idsOf(LOSS) } },
    select: { id: true, position: true },
  });
  return new Map([
    ...reports.flatMap(({ id, result }): [string, number][] =>
      result ? [[nameReportReturn(id), result.position]] : [],
    ),
    ...results.map(({ id, position }): [string, number] => [nameLossReturn(id), position]),
  ]);
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
  return `${REPORT}${reportId}`;
}

/** The cause of the ledger's entry. */
export function nameLossReturn(resultId: string): string {
  return `${LOSS}${resultId}`;
}
