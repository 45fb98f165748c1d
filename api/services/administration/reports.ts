import { sendAccountEvent } from '#api/database/account-events.ts';
import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { cutPage, parseUuidCursor } from '#api/services/core/cursors.ts';
import { resultKindOf } from '#api/services/core/result-kind.ts';
import { listFindings } from '#api/services/generations/results/garment-checks.ts';
import { listInputs, listInputsOf } from '#api/services/generations/results/inputs.ts';
import { listRerolledPositions } from '#api/services/generations/results/rerolls.ts';
import { hideForGood, removeHidden } from '#api/services/generations/results/result-files.ts';
import { isPicture } from '#api/services/generations/results/results.ts';
import { lockBalance, returnForReport } from '#api/services/stars/ledger.ts';
import { listRepaid, listReturnedForReports, listStarsSpent, nameOutput } from '#api/services/stars/returned-stars.ts';
import type { Generation, Photo, Prisma, Result, ResultReport } from '#prisma/generated/client.ts';
import { ADMIN_PAGE_SIZE } from '#shared/contract/administration.ts';
import type { AdminReport } from '#shared/contract/result-reports.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import type { ReportDecision } from '#shared/rules/result-reports.ts';
import { shareOf } from '#shared/rules/tools.ts';
import { nameOwner, OWNER } from './administration.ts';

type Sources = Pick<AppContext, 'db' | 'catalogue'>;

const WITH_ALL = {
  result: true,
  generation: { include: { rerollOf: true } },
  account: { select: OWNER },
} as const satisfies Prisma.ResultReportInclude;
type ReportRow = Prisma.ResultReportGetPayload<{ include: typeof WITH_ALL }>;

/** One that is still open has no place among the closed ones. */
const NEVER = new Date(0);
const ORDERS = {
  open: [{ isUrgent: 'desc' }, { id: 'asc' }],
  closed: [{ closedAt: 'desc' }, { id: 'desc' }],
} satisfies Record<string, Prisma.ResultReportOrderByWithRelationInput[]>;

const PLACES = {
  open: ({ isUrgent, id }) =>
    isUrgent ? { OR: [{ isUrgent: false }, { id: { gt: id } }] } : { isUrgent, id: { gt: id } },
  // The first condition is where a search in the index begins.
  closed: ({ closedAt, id }) => ({
    closedAt: { lte: closedAt ?? NEVER },
    OR: [{ closedAt: { lt: closedAt ?? NEVER } }, { id: { lt: id } }],
  }),
} satisfies Record<string, (last: ResultReport) => Prisma.ResultReportWhereInput>;

/**
 * A page of the complaints: open ones by urgency and age, closed ones with the newest decision first. Throws AppError
 * invalid_request for an invalid cursor.
 */
export async function listReports(
  app: Sources,
  { status, cursor }: { status: AdminReport['status']; cursor?: string | undefined },
): Promise<{ reports: AdminReport[]; nextCursor: string | null }> {
  const last =
    cursor === undefined ? undefined : await app.db.resultReport.findUnique({ where: { id: parseUuidCursor(cursor) } });
  if (last === null) return { reports: [], nextCursor: null };
  const rows = await app.db.resultReport.findMany({
    where: { status, ...(last && PLACES[status](last)) },
    orderBy: ORDERS[status],
    take: ADMIN_PAGE_SIZE + 1,
    include: WITH_ALL,
  });
  const { page, last: lastShown } = cutPage(rows, ADMIN_PAGE_SIZE);
  return { reports: await presentReports(app, page), nextCursor: lastShown?.id ?? null };
}

export function countOpenReports({ db }: WithDb): Promise<number> {
  return db.resultReport.count({ where: { status: 'open' } });
}

interface Decision {
  decision: ReportDecision;
  answer: string | null;
}

/**
 * Carries out a decision once. Its owner sees it on the result and in the chat. Throws AppError report_not_found,
 * report_closed, report_result_gone, report_generation_runs, report_costs_nothing.
 */
export async function closeReport(
  app: Pick<AppContext, 'db' | 'catalogue' | 'queue' | 'telegram' | 'storage' | 'log'>,
  adminId: number,
  reportId: string,
  { decision, answer }: Decision,
): Promise<AdminReport> {
  const removed = await app.db.$transaction(async (tx) => {
    const report = await lockReport(tx, reportId);
    const { id, accountId, generation } = report;
    if (report.status === 'closed') {
      if (report.closedById === adminId && report.decision === decision) return null;
      throw new AppError('report_closed');
    }
    const stars = decision === 'stars_returned' ? await returnStars(tx, report) : 0;
    const hidden = decision === 'result_removed' ? await hideReported(tx, report) : null;
    const closed = await tx.resultReport.updateMany({
      where: { id, status: 'open' },
      data: { status: 'closed', decision, answer, closedById: adminId, closedAt: new Date() },
    });
    // The account was erased meanwhile, and its complaint with it.
    if (closed.count === 0) throw new AppError('report_not_found');
    await recordAudit(tx, {
      adminId,
      accountId,
      action: 'report_closed',
      details: { reportId: id, decision, stars },
    });
    await sendAccountEvent(tx, { accountId, event: 'generation', id: generation.id, kind: generation.kind });
    if (app.telegram) await app.queue.send(tx, 'tell-telegram-report', { reportId: id });
    return hidden;
  });
  if (removed) await removeHidden(app, removed);
  const [closed] = await presentReports(app, [await getReport(app.db, reportId)]);
  if (!closed) throw new AppError('report_not_found');
  return closed;
}

/** Decisions about results of one account wait for each other, so that none sees stars that another one returns. */
async function lockReport(tx: Tx, id: string): Promise<ReportRow> {
  const { accountId: knownId } = await getReport(tx, id);
  await lockBalance(tx, knownId);
  const report = await getReport(tx, id);
  // The account was merged into another one meanwhile.
  if (report.accountId !== knownId) await lockBalance(tx, report.accountId);
  return report;
}

async function getReport(db: Pick<Tx, 'resultReport'>, id: string): Promise<ReportRow> {
  const report = isUuid(id) ? await db.resultReport.findUnique({ where: { id }, include: WITH_ALL }) : null;
  if (!report) throw new AppError('report_not_found');
  return report;
}

async function returnStars(tx: Tx, report: ReportRow): Promise<number> {
  const { id, accountId, generation, result } = report;
  const paid = findPaid(report);
  // Its end may still return a part of the price.
  if (!isFinal(generation.status)) throw new AppError('report_generation_runs');
  if (isRerolled(await listRerolledPositions(tx, [generation.id]), report)) throw new AppError('report_costs_nothing');
  const stars = await returnForReport(tx, {
    reportId: id,
    accountId,
    generationId: paid.id,
    position: result?.position ?? null,
    share: shareOf(paid.kind, paid.stars),
  });
  if (stars === 0) throw new AppError('report_costs_nothing');
  return stars;
}

/** Whether the result was made again. Of one that is gone nobody knows the position, so any re-roll counts. */
function isRerolled(
  rerolled: ReadonlyMap<string, ReadonlySet<number>>,
  { generationId, result }: Pick<ReportRow, 'generationId' | 'result'>,
): boolean {
  const positions = rerolled.get(generationId);
  return positions !== undefined && (result === null || positions.has(result.position));
}

/** What was paid for the result. A free re-roll belongs to the price of the generation that it makes again. */
function findPaid({ generation }: Pick<ReportRow, 'generation'>): Generation {
  return generation.rerollOf ?? generation;
}

async function hideReported(tx: Tx, { result }: ReportRow): Promise<Result> {
  if (!result || !(await hideForGood(tx, result.id))) throw new AppError('report_result_gone');
  return result;
}

type Viewer = Pick<AppContext, 'db' | 'log'>;

/** The result for an administrator to look at, which the log records. Throws AppError report_not_found. */
export async function getReportedResult(app: Viewer, adminId: number, reportId: string): Promise<Result> {
  const { result } = await getReport(app.db, reportId);
  if (!result) throw new AppError('report_not_found');
  logLook(app, adminId, reportId);
  return result;
}

export async function getReportedPhoto(
  app: Viewer,
  adminId: number,
  { reportId, position }: { reportId: string; position: number },
): Promise<Photo> {
  const { generationId } = await getReport(app.db, reportId);
  const photo = (await listInputs(app.db, generationId))[position];
  if (!photo) throw new AppError('report_not_found');
  logLook(app, adminId, reportId);
  return photo;
}

function logLook({ log }: Viewer, adminId: number, reportId: string): void {
  log.info({ action: 'reported_file_viewed', adminId, reportId }, 'an administrator looks at a reported result');
}

async function presentReports(app: Sources, rows: ReportRow[]): Promise<AdminReport[]> {
  const generationIds = rows.map(({ generationId }) => generationId);
  const photos = await listInputsOf(app.db, generationIds);
  const models = await listModels(app, generationIds);
  const resultIds = rows.flatMap(({ resultId }) => resultId ?? []);
  const findings = await listFindings(app.db, resultIds);
  const paidIds = rows.map((row) => findPaid(row).id);
  const spent = await listStarsSpent(app, paidIds);
  const repaid = await listRepaid(app, paidIds);
  const rerolled = await listRerolledPositions(app.db, generationIds);
  const returned = await listReturnedForReports(
    app,
    rows.map(({ id }) => id),
  );
  const admins = await app.db.account.findMany({
    where: { id: { in: rows.flatMap(({ closedById }) => closedById ?? []) } },
    select: { id: true, email: true },
  });
  return rows.map(({ account, generation, result, ...row }): AdminReport => {
    const { id, generationId, status, decision, answer, reason, isUrgent, comment, resultId } = row;
    const finding = findings.get(resultId ?? '');
    const paid = findPaid({ generation });
    const isRepaid = result !== null && repaid.has(nameOutput({ generationId: paid.id, position: result.position }));
    const isReplaced = isRepaid || isRerolled(rerolled, { generationId, result });
    const canReturn = status === 'open' && isFinal(generation.status) && !isReplaced;
    const left = canReturn ? Math.max(0, spent.get(paid.id) ?? 0) : 0;
    return {
      id,
      generationId,
      status,
      decision,
      answer,
      reason,
      isUrgent,
      comment,
      account: { id: account.id, email: nameOwner(account) },
      kind: generation.kind,
      made: resultKindOf(generation),
      engine: generation.engine,
      model: models.get(generationId)?.findLast(({ position }) => position <= (result?.position ?? 0))?.model ?? null,
      createdAt: row.createdAt.toISOString(),
      closedAt: row.closedAt?.toISOString() ?? null,
      closedBy: row.closedById === null ? null : (admins.find((one) => one.id === row.closedById)?.email ?? null),
      stars: returned.get(id) ?? Math.min(left, shareOf(paid.kind, paid.stars)),
      result: result && {
        position: result.position,
        width: result.width,
        height: result.height,
        isVideo: !isPicture(result),
        isDeleted: result.deletedAt !== null,
      },
      garmentCheck: finding ? { verdict: finding.verdict, drifts: finding.drifts } : null,
      photos: photos.get(generationId)?.length ?? 0,
    };
  });
}

async function listModels({ db }: WithDb, generationIds: string[]) {
  const runs = await db.engineRun.findMany({
    where: { generationId: { in: generationIds }, status: 'succeeded' },
    orderBy: [{ position: 'asc' }, { createdAt: 'asc' }],
    select: { generationId: true, position: true, model: true },
  });
  return Map.groupBy(runs, ({ generationId }) => generationId);
}
