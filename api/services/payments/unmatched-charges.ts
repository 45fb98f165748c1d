import type { Tx } from '#api/database/database.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { recordAudit } from '#api/services/core/audit.ts';
import type { AuditAction, AuditDetails } from '#shared/contract/administration.ts';
import { HUNDREDTHS, nameTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';

/** A payment in Telegram Stars that matches no invoice: one paid already, another amount, or an unknown one. */
export interface UnmatchedCharge {
  telegramUserId: number;
  chargeId: string;
  xtr: number;
  /** The invoice that it names. It may not be ours. */
  invoice: string;
  /** Why it matches none, in words for the operator. */
  reason: string;
}

/** Records that a charge is returned to its payer, and sends the job that does it. A repeat changes nothing. */
export async function returnUnmatchedCharge(app: AppContext, charge: UnmatchedCharge): Promise<void> {
  const { telegramUserId, chargeId, xtr, invoice, reason } = charge;
  const name = nameTelegramPayment(telegramUserId, chargeId);
  await app.db.$transaction(async (tx) => {
    const isNew = await noteOnce(tx, 'star_charge_unmatched', name, async () => {
      const payer = await tx.telegramUser.findUnique({ where: { id: telegramUserId }, select: { accountId: true } });
      await recordAudit(tx, {
        adminId: null,
        action: 'star_charge_unmatched',
        accountId: payer?.accountId ?? null,
        details: { chargeId: name, amountRub: xtr, currency: 'XTR', invoice, reason },
      });
    });
    if (isNew) await app.queue.send(tx, 'return-star-charge', { telegramUserId, chargeId, xtr });
  });
}

/**
 * Returns a charge through Telegram and records that. May be repeated. Throws PaymentRefusedError,
 * PaymentProviderUnavailableError.
 */
export async function refundUnmatchedCharge(
  app: AppContext,
  { telegramUserId, chargeId, xtr }: Pick<UnmatchedCharge, 'telegramUserId' | 'chargeId' | 'xtr'>,
): Promise<void> {
  const name = nameTelegramPayment(telegramUserId, chargeId);
  // Only the bot handles this job, and without Telegram there is no bot.
  const refunds = app.payments.find(TELEGRAM_STARS)?.refunds;
  if (!refunds) throw new Error('no Telegram to give a charge back through');
  await refunds.submit({
    refundId: name,
    amountMinor: xtr * HUNDREDTHS,
    payment: { providerPaymentId: name, amountMinor: xtr * HUNDREDTHS, booked: [] },
    description: '',
    receiptItem: '',
    buyerEmail: null,
  });
  await app.db.$transaction((tx) =>
    noteOnce(tx, 'star_charge_returned', name, () =>
      recordAudit(tx, {
        adminId: null,
        action: 'star_charge_returned',
        accountId: null,
        details: { chargeId: name, amountRub: xtr, currency: 'XTR' },
      }),
    ),
  );
}

export function isUnmatchedCharge({ db }: { db: Pick<Tx, 'auditEntry'> }, name: string): Promise<boolean> {
  return isNoted(db, 'star_charge_unmatched', name);
}

export async function listUnmatchedCharges(app: WithDb, since: Date): Promise<string[]> {
  const found = await app.db.auditEntry.findMany({
    where: { action: 'star_charge_unmatched' satisfies AuditAction, createdAt: { gte: since } },
    select: { details: true },
  });
  return found.map(({ details }) => (details as unknown as AuditDetails['star_charge_unmatched']).chargeId);
}

/** Returns false when the charge already has a row of this action. A concurrent call for the same charge waits. */
async function noteOnce(tx: Tx, action: AuditAction, name: string, note: () => Promise<void>): Promise<boolean> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
  if (await isNoted(tx, action, name)) return false;
  await note();
  return true;
}

async function isNoted(db: Pick<Tx, 'auditEntry'>, action: AuditAction, name: string): Promise<boolean> {
  return (await db.auditEntry.count({ where: { action, details: { path: ['chargeId'], equals: name } } })) > 0;
}
