import type { z } from 'zod';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import { AppError } from '#api/platform/errors.ts';
import { toShownEmail } from '#api/services/accounts/email-address.ts';
import type { WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import { cutPage, isAccountId, parseAccountCursor, parseUuidCursor } from '#api/services/core/cursors.ts';
import { matchPremiumPayments, type PremiumSources } from '#api/services/core/premium-status.ts';
import { correctBalance } from '#api/services/stars/ledger.ts';
import type { Prisma, Refund } from '#prisma/generated/client.ts';
import {
  ADMIN_PAGE_SIZE,
  type AdminPayment,
  type AdminUser,
  type adminRefund,
  type adminStarEntry,
  type listPayments as listPaymentsEndpoint,
  type listUsers as listUsersEndpoint,
} from '#shared/contract/administration.ts';
import { STAR_HISTORY_MAX_LIMIT } from '#shared/contract/stars.ts';
import { findAccounts } from './account-search.ts';

/** A page of everybody's payments, newest first. Throws AppError invalid_request for an invalid cursor. */
export async function listPayments(
  { db }: WithDb,
  { status, accountId, cursor }: z.output<(typeof listPaymentsEndpoint)['query']>,
): Promise<{ payments: AdminPayment[]; nextCursor: string | null }> {
  if (accountId !== undefined && !isAccountId(accountId)) return { payments: [], nextCursor: null };
  const last =
    cursor === undefined
      ? undefined
      : await db.payment.findUnique({ where: { id: parseUuidCursor(cursor) }, select: { id: true, createdAt: true } });
  if (last === null) return { payments: [], nextCursor: null };
  const rows = await db.payment.findMany({
    where: { ...(status && { status }), ...(accountId !== undefined && { accountId }), ...(last && isAfter(last)) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: ADMIN_PAGE_SIZE + 1,
    include: { account: { select: OWNER }, refunds: { orderBy: { id: 'asc' } } },
  });
  const { page, last: lastShown } = cutPage(rows, ADMIN_PAGE_SIZE);
  return { payments: page.map(presentPayment), nextCursor: lastShown?.id ?? null };
}

/** Matches what comes after a payment in the list. The first condition is where a search in the index begins. */
function isAfter({ id, createdAt }: Pick<PaymentRow, 'id' | 'createdAt'>): Prisma.PaymentWhereInput {
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }] };
}

export const OWNER = {
  id: true,
  email: true,
  starBalance: true,
  telegramUser: { select: { username: true, firstName: true } },
} as const;

type PaymentRow = Prisma.PaymentGetPayload<{
  include: { account: { select: typeof OWNER }; refunds: true };
}>;

function presentPayment(payment: PaymentRow): AdminPayment {
  const { id, account, provider, providerPaymentId, status, packageName, stars, isTest } = payment;
  const isGivenUp = payment.dismissedAt !== null && status !== 'succeeded';
  // The provider lets a dismissed invoice expire in the end, but that is not why it was not paid.
  const cancellationReason = isGivenUp ? 'canceled_by_buyer' : payment.cancellationReason;
  return {
    id,
    provider,
    providerPaymentId,
    status,
    packageName,
    stars,
    isTest,
    cancellationReason,
    account: { id: account.id, email: nameOwner(account), balance: account.starBalance },
    currency: payment.currency === 'XTR' ? 'XTR' : 'RUB',
    amountRub: payment.amountMinor / 100,
    refundedRub: payment.refundedMinor / 100,
    createdAt: payment.createdAt.toISOString(),
    paidAt: payment.paidAt?.toISOString() ?? null,
    refunds: payment.refunds.map(presentRefund),
  };
}

export function nameOwner(account: {
  email: string | null;
  telegramUser: { username: string | null; firstName: string } | null;
}): string {
  const { email, telegramUser } = account;
  if (email !== null || !telegramUser) return email === null ? 'Telegram' : toShownEmail(email);
  return `Telegram ${telegramUser.username ? `@${telegramUser.username}` : telegramUser.firstName}`.trim();
}

export function presentRefund(refund: Refund): z.output<typeof adminRefund> {
  const { id, status, stars, starsTaken, reason } = refund;
  return {
    id,
    status,
    stars,
    starsTaken,
    reason,
    amountRub: refund.amountMinor / 100,
    createdAt: refund.createdAt.toISOString(),
  };
}

/** A page of accounts, newest first. Throws AppError invalid_request for an invalid cursor. */
export async function listUsers(
  app: PremiumSources,
  { search = '', cursor }: z.output<(typeof listUsersEndpoint)['query']>,
): Promise<{ users: AdminUser[]; nextCursor: string | null }> {
  const before = cursor === undefined ? {} : { lt: parseAccountCursor(cursor) };
  const rows = await app.db.account.findMany({
    where: { id: search === '' ? before : { in: await findAccounts(app, search, before.lt) } },
    orderBy: { id: 'desc' },
    take: ADMIN_PAGE_SIZE + 1,
    include: {
      payments: {
        where: matchPremiumPayments(app),
        select: { id: true },
        take: 1,
      },
      telegramUser: OWNER.telegramUser,
    },
  });
  const { page, last } = cutPage(rows, ADMIN_PAGE_SIZE);
  const users = page.map(({ id, username, ...row }) => ({
    id,
    username,
    email: nameOwner(row),
    isEmailVerified: row.emailVerifiedAt !== null,
    isPremium: row.payments.length > 0,
    balance: row.starBalance,
    createdAt: row.createdAt.toISOString(),
  }));
  return { users, nextCursor: last ? String(last.id) : null };
}

/** The newest rows of an account's ledger. Throws AppError account_not_found. */
export async function listUserStars({ db }: WithDb, accountId: number): Promise<z.input<typeof adminStarEntry>[]> {
  const account = isAccountId(accountId) && (await db.account.findUnique({ where: { id: accountId } }));
  if (!account) throw new AppError('account_not_found');
  const rows = await db.starEntry.findMany({
    where: { accountId },
    orderBy: { id: 'desc' },
    take: STAR_HISTORY_MAX_LIMIT,
  });
  return rows.map(({ id, kind, delta, note, createdAt }) => ({
    id: String(id),
    kind,
    delta,
    note,
    createdAt: createdAt.toISOString(),
  }));
}

export interface Correction {
  adminId: number;
  accountId: number;
  delta: number;
  reason: string;
  idempotencyKey: string | null;
}

/**
 * Adds or removes stars by hand and records it in the audit. Returns the balance. Throws AppError account_not_found,
 * correction_overdraws, idempotency_key_reused.
 */
export async function correctStars({ db }: WithDb, correction: Correction): Promise<number> {
  const { adminId, accountId, delta, reason } = correction;
  if (!isAccountId(accountId)) throw new AppError('account_not_found');
  return commitWithOutcomeCheck(db, async (tx) => {
    const { balance, isRepeated } = await correctBalance(tx, correction);
    if (!isRepeated) {
      await recordAudit(tx, { adminId, accountId, action: 'stars_corrected', details: { delta, reason, balance } });
    }
    return balance;
  });
}
