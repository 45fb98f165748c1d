import type { Db, Tx } from '#api/database/database.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/core/ownership.ts';
import { getOwnItem, getOwnResult } from '#api/services/generations/results/results.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Result, ResultReport } from '#prisma/generated/client.ts';
import type { ReportState } from '#shared/contract/report-state.ts';
import { isUrgentReason, type ReportReason } from '#shared/rules/result-reports.ts';
import { orderReportMail } from './report-mails.ts';

export interface Complaint {
  reason: ReportReason;
  /** The person's own words. */
  comment: string | null;
}

/**
 * Records a complaint about a result by its id in the interface. While one is open, it is kept as it is. Throws ITEM_REFUSALS.
 */
export async function reportItem(
  app: Pick<AppContext, 'db' | 'queue' | 'log'>,
  accountId: number,
  itemId: string,
  complaint: Complaint,
): Promise<ReportState> {
  return report(app, await getOwnItem(app.db, accountId, itemId), complaint);
}

/**
 * Records a complaint about the result at a place of a generation. While one is open, it is kept as it is. Throws
 * generation_not_found, generation_forbidden.
 */
export async function reportResult(
  app: Pick<AppContext, 'db' | 'queue' | 'log'>,
  accountId: number,
  place: { generationId: string; position: number },
  complaint: Complaint,
): Promise<ReportState> {
  return report(app, await getOwnResult(app.db, accountId, place), complaint);
}

/** The newest complaint about a result by its id in the interface. Throws ITEM_REFUSALS. */
export async function findItemReport({ db }: WithDb, accountId: number, itemId: string): Promise<ReportState | null> {
  const newest = await findNewest(db, await getOwnItem(db, accountId, itemId));
  return newest && presentReport(newest);
}

/** A decided complaint. Null while it is open, and when it is gone. */
export async function findDecision({ db }: WithDb, reportId: string) {
  const found = await db.resultReport.findUnique({ where: { id: reportId }, include: { generation: true } });
  return found?.decision ? { ...found, decision: found.decision } : null;
}

async function report(
  app: Pick<AppContext, 'db' | 'queue' | 'log'>,
  { id: resultId, accountId: knownId }: Result,
  { reason, comment }: Complaint,
): Promise<ReportState> {
  const newest = await app.db.$transaction(async (tx) => {
    // A merge that runs now would not see the new row.
    await lockBalance(tx, knownId);
    const result = await tx.result.findUnique({ where: { id: resultId } });
    if (!result) return refuseUnknown('image');
    const { generationId, accountId } = result;
    const isUrgent = isUrgentReason(reason);
    const { count } = await tx.resultReport.createMany({
      data: [{ resultId, generationId, accountId, reason, isUrgent, comment }],
      skipDuplicates: true,
    });
    if (count > 0 && isUrgent) await orderReportMail(app, tx);
    if (count > 0) app.log.info({ action: 'result_reported', resultId, reason }, 'a result was reported');
    return findNewest(tx, result);
  });
  if (!newest) throw new Error(`the complaint about ${resultId} is gone`);
  return presentReport(newest);
}

function findNewest(db: Db | Tx, { id: resultId }: Result): Promise<ResultReport | null> {
  return db.resultReport.findFirst({ where: { resultId }, orderBy: { id: 'desc' } });
}

/** A complaint as the person sees it. */
function presentReport({ status, decision, answer }: ReportState): ReportState {
  return { status, decision, answer };
}
