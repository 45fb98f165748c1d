import { createRowId } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { cutPage, parseUuidCursor } from '#api/services/core/cursors.ts';
import { grantInterviewBonus, lockBalance } from '#api/services/stars/ledger.ts';
import type { InterviewRequest } from '#prisma/generated/client.ts';
import { ADMIN_PAGE_SIZE, type AdminInterviewRequest } from '#shared/contract/administration.ts';
import { INTERVIEW_BONUS_STARS } from '#shared/rules/prices.ts';

interface Contacts {
  name: string;
  email: string;
  telegram: string;
}

/**
 * Takes the invitation to an interview. Returns whether it is to be shown: once per account, and never to one that has
 * asked for an interview already. Of several calls at once one gets true.
 */
export async function takeInterviewInvitation(app: WithDb, accountId: number): Promise<boolean> {
  const { count } = await app.db.account.updateMany({
    where: { id: accountId, interviewInvitedAt: null, interviewRequest: null },
    data: { interviewInvitedAt: new Date() },
  });
  return count > 0;
}

/** Stores an account's request for an interview. A later request replaces it until the stars are granted. */
export async function requestInterview(
  app: WithDb,
  accountId: number,
  { name, email, telegram }: Contacts,
): Promise<void> {
  await app.db.$executeRaw`
    insert into interview_requests as kept (id, account_id, name, email, telegram)
    values (${createRowId()}::uuid, ${accountId}, ${name}, ${email}, ${telegram})
    on conflict (account_id) do update
    set name = excluded.name, email = excluded.email, telegram = excluded.telegram
    where kept.granted_at is null`;
}

/** A page of the requests, newest first. Throws AppError invalid_request for an invalid cursor. */
export async function listInterviewRequests(
  app: WithDb,
  cursor: string | undefined,
): Promise<{ requests: AdminInterviewRequest[]; nextCursor: string | null }> {
  const rows = await app.db.interviewRequest.findMany({
    ...(cursor === undefined ? {} : { where: { id: { lt: parseUuidCursor(cursor) } } }),
    orderBy: { id: 'desc' },
    take: ADMIN_PAGE_SIZE + 1,
  });
  const { page, last } = cutPage(rows, ADMIN_PAGE_SIZE);
  return { requests: page.map(presentRequest), nextCursor: last?.id ?? null };
}

/**
 * Grants the stars for an interview, once per account. A repeat changes nothing. Throws AppError
 * interview_request_not_found.
 */
export async function grantInterview(app: WithDb, adminId: number, requestId: string): Promise<AdminInterviewRequest> {
  if (!isUuid(requestId)) throw new AppError('interview_request_not_found');
  return app.db.$transaction(async (tx) => {
    const found = await tx.interviewRequest.findUnique({ where: { id: requestId }, select: { accountId: true } });
    if (!found) throw new AppError('interview_request_not_found');
    const { accountId } = found;
    await lockBalance(tx, accountId);
    const request = await tx.interviewRequest.findUniqueOrThrow({ where: { id: requestId } });
    if (request.grantedAt !== null || !(await grantInterviewBonus(tx, accountId))) return presentRequest(request);
    await recordAudit(tx, {
      adminId,
      accountId,
      action: 'interview_granted',
      details: { requestId, stars: INTERVIEW_BONUS_STARS },
    });
    return presentRequest(
      await tx.interviewRequest.update({ where: { id: requestId }, data: { grantedAt: new Date() } }),
    );
  });
}

function presentRequest(request: InterviewRequest): AdminInterviewRequest {
  const { id, accountId, name, email, telegram, createdAt, grantedAt } = request;
  return {
    id,
    accountId,
    name,
    email,
    telegram,
    createdAt: createdAt.toISOString(),
    grantedAt: grantedAt?.toISOString() ?? null,
  };
}
