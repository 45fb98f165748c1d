import type { z } from 'zod';
import type { Tx } from '#api/database/database.ts';
import type { WithDb } from '#api/services/app-context.ts';
import {
  ADMIN_PAGE_SIZE,
  type AuditAction,
  type AuditDetails,
  type auditEntry,
} from '#shared/contract/administration.ts';
import { cutPage, parseNumericCursor } from './cursors.ts';

type NewAuditEntry = {
  [Action in AuditAction]: {
    adminId: number | null;
    action: Action;
    accountId: number | null;
    details: AuditDetails[Action];
  };
}[AuditAction];

/** Records an action of an administrator. Call it in the transaction of the action, so that neither exists alone. */
export async function recordAudit(tx: Tx, entry: NewAuditEntry): Promise<void> {
  await tx.auditEntry.create({ data: entry });
}

/** A page of the audit, newest first. Throws AppError invalid_request for an invalid cursor. */
export async function listAuditEntries(
  app: WithDb,
  cursor: string | undefined,
): Promise<{ entries: z.input<typeof auditEntry>[]; nextCursor: string | null }> {
  const rows = await app.db.auditEntry.findMany({
    ...(cursor === undefined ? {} : { where: { id: { lt: parseNumericCursor(cursor) } } }),
    orderBy: { id: 'desc' },
    take: ADMIN_PAGE_SIZE + 1,
  });
  const { page, last } = cutPage(rows, ADMIN_PAGE_SIZE);
  const emails = await findEmails(
    app,
    page.flatMap(({ adminId }) => adminId ?? []),
  );
  return {
    entries: page.map(({ id, adminId, action, accountId, details, createdAt }) => ({
      id: String(id),
      admin: adminId === null ? null : (emails.get(adminId) ?? `№ ${adminId}`),
      action,
      accountId,
      details: details as Record<string, unknown>,
      createdAt: createdAt.toISOString(),
    })),
    nextCursor: last ? String(last.id) : null,
  };
}

async function findEmails(app: WithDb, ids: number[]): Promise<Map<number, string>> {
  const accounts = await app.db.account.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } });
  return new Map(accounts.flatMap(({ id, email }) => (email === null ? [] : [[id, email]])));
}
