import type { Message, RefundedPayment, SuccessfulPayment } from 'grammy/types';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import { assertDeletionNotRequested } from '#api/services/accounts/deletion.ts';
import type { AppContext, WithDb } from '#api/services/app-context.ts';
import { matchPremiumPayments, type PremiumSources } from '#api/services/core/premium-status.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Payment, StarPackage } from '#prisma/generated/client.ts';
import { HUNDREDTHS, nameTelegramPayment, readTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import { confirmPayment } from './confirm-payment.ts';
import { recordExternalRefund } from './external-refunds.ts';
import { findInvoiceByKey } from './invoices.ts';
import { isUnmatchedCharge, returnUnmatchedCharge } from './unmatched-charges.ts';

/** Per account, within the hour that the refusal mentions. */
const OPEN_INVOICES_MAX = 10;
const OPEN_INVOICES_MS = 3_600_000;
/** An older invoice cannot be paid any more. Its message stays in the chat. */
export const INVOICE_LIFETIME_MS = 24 * 3_600_000;

const PENDING_FOR_STARS = { provider: TELEGRAM_STARS, status: 'pending' } as const;

export type PackageForTelegram = StarPackage & { priceXtr: number };

/** Packages that the bot sells, smallest first. Empty unless the operator has turned sales on and set prices. */
export async function listPackagesForTelegram(
  app: Pick<AppContext, 'db' | 'config' | 'telegram'>,
): Promise<PackageForTelegram[]> {
  if (!app.config.telegram.sellsStars || !app.telegram) return [];
  const packages = await app.db.starPackage.findMany({
    where: { isActive: true, priceXtr: { not: null } },
    orderBy: [{ stars: 'asc' }, { id: 'asc' }],
  });
  return packages.filter((one): one is PackageForTelegram => one.priceXtr !== null);
}

/**
 * An invoice in Telegram Stars. The same key returns the same invoice. Throws package_unknown, deletion_asked,
 * too_many_invoices.
 */
export async function createTelegramInvoice(
  app: AppContext,
  { accountId, packageId, idempotencyKey }: { accountId: number; packageId: number; idempotencyKey: string },
): Promise<Payment & { priceXtr: number }> {
  await assertDeletionNotRequested(app.db, accountId);
  const starPackage = (await listPackagesForTelegram(app)).find(({ id }) => id === packageId);
  if (!starPackage) throw new AppError('package_unknown');
  const payment = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const repeated = await findInvoiceByKey(tx, accountId, idempotencyKey);
    if (repeated) return repeated;
    const createdAt = { gt: new Date(Date.now() - OPEN_INVOICES_MS) };
    const unpaid = await tx.payment.count({ where: { ...PENDING_FOR_STARS, accountId, createdAt } });
    if (unpaid >= OPEN_INVOICES_MAX) throw new AppError('too_many_invoices');
    return tx.payment.create({
      data: {
        accountId,
        packageId,
        provider: TELEGRAM_STARS,
        currency: 'XTR',
        keys: { create: { key: idempotencyKey } },
        packageName: starPackage.name,
        stars: starPackage.stars,
        amountMinor: starPackage.priceXtr * HUNDREDTHS,
      },
    });
  });
  return { ...payment, priceXtr: payment.amountMinor / HUNDREDTHS };
}

/**
 * Books a payment reported by Telegram. A repeat changes nothing. Null when it matches no invoice: it is returned to
 * its payer.
 */
export async function confirmTelegramPayment(
  app: AppContext,
  telegramUserId: number,
  paid: Pick<SuccessfulPayment, 'currency' | 'total_amount' | 'invoice_payload' | 'telegram_payment_charge_id'>,
): Promise<Payment | null> {
  const providerPaymentId = nameTelegramPayment(telegramUserId, paid.telegram_payment_charge_id);
  if (await isUnmatchedCharge(app, providerPaymentId)) return null;
  const outcome = await confirmPayment(app, TELEGRAM_STARS, {
    providerPaymentId,
    paymentId: paid.invoice_payload,
    status: 'succeeded',
    amountMinor: paid.total_amount * HUNDREDTHS,
    currency: paid.currency,
    isTest: false,
    awaitsBuyer: false,
    paymentUrl: null,
    payableUntil: null,
    cancellationReason: null,
  });
  const invoice = paid.invoice_payload;
  const payment = isUuid(invoice) ? await app.db.payment.findUnique({ where: { id: invoice } }) : null;
  // A charge that has paid its invoice is never returned automatically, whatever is reported about it later.
  if (outcome !== 'refused' || payment?.providerPaymentId === providerPaymentId) return payment;
  await returnUnmatchedCharge(app, {
    telegramUserId,
    chargeId: paid.telegram_payment_charge_id,
    xtr: paid.total_amount,
    invoice,
    reason: explainMismatch(payment),
  });
  return null;
}

function explainMismatch(payment: Payment | null): string {
  if (payment?.provider !== TELEGRAM_STARS) return 'такого счёта нет';
  return payment.status === 'succeeded' ? 'счёт уже оплачен' : 'сумма не та, что в счёте';
}

/** Books a payment while earlier updates of its chat still wait. When its own turn comes, this is tried again. */
export async function bookPaymentAtOnce(app: AppContext, { from, successful_payment: paid }: Message): Promise<void> {
  if (!from || !paid) return;
  try {
    const payment = await confirmTelegramPayment(app, from.id, paid);
    if (payment) await sendPurchaseNews(app, payment.id);
  } catch (error) {
    app.log.warn({ err: error, paymentId: paid.invoice_payload }, 'a payment waits for its turn');
  }
}

export async function sendPurchaseNews(app: AppContext, paymentId: string): Promise<void> {
  await app.db.$transaction((tx) => app.queue.send(tx, 'tell-telegram-purchase', { paymentId }));
}

/** The purchase, its buyer, and the account that has the stars. The account may not be the buyer's any more. */
export async function getTelegramPurchase(app: WithDb, paymentId: string) {
  const { stars, providerPaymentId, account } = await app.db.payment.findUniqueOrThrow({
    where: { id: paymentId, provider: TELEGRAM_STARS, status: 'succeeded' },
    include: { account: { include: { telegramUser: true } } },
  });
  const { telegramUserId } = readTelegramPayment(providerPaymentId ?? '');
  const { email, starBalance: balance, telegramUser } = account;
  return { telegramUserId, stars, email, balance, isBuyersOwn: telegramUser?.id === BigInt(telegramUserId) };
}

/**
 * The effects of a refund that Telegram reported: the stars taken off the balance, whether the account is no longer
 * premium, and whether it is still the buyer's. Null while no refund is booked.
 */
export async function findTelegramRefund(
  app: PremiumSources,
  telegramUserId: number,
  chargeId: string,
): Promise<{ stars: number; isPremiumOver: boolean; isBuyersOwn: boolean } | null> {
  const payment = await app.db.payment.findUnique({
    where: {
      provider_providerPaymentId: {
        provider: TELEGRAM_STARS,
        providerPaymentId: nameTelegramPayment(telegramUserId, chargeId),
      },
    },
    include: { account: { include: { telegramUser: true } }, refunds: { where: { status: { not: 'canceled' } } } },
  });
  const refund = payment?.refunds[0];
  if (!payment || !refund) return null;
  const { id, accountId, account } = payment;
  // This payment may be about to be booked as refunded.
  const others = await app.db.payment.count({ where: { ...matchPremiumPayments(app), accountId, id: { not: id } } });
  return {
    stars: refund.starsTaken,
    isPremiumOver: others === 0,
    isBuyersOwn: account.telegramUser?.id === BigInt(telegramUserId),
  };
}

/** Cancels invoices that cannot be paid any more. A payment that arrives nevertheless is credited. */
export async function cancelStaleInvoices(app: WithDb): Promise<void> {
  await app.db.payment.updateMany({
    where: { ...PENDING_FOR_STARS, createdAt: { lt: new Date(Date.now() - INVOICE_LIFETIME_MS) } },
    data: { status: 'canceled', cancellationReason: 'never_paid', canceledAt: new Date() },
  });
}

/** Handles a refund reported by Telegram: ours, which is booked already, or one made outside. */
export async function bookTelegramRefund(
  app: AppContext,
  telegramUserId: number,
  refunded: Pick<RefundedPayment, 'telegram_payment_charge_id' | 'total_amount'>,
): Promise<void> {
  const providerPaymentId = nameTelegramPayment(telegramUserId, refunded.telegram_payment_charge_id);
  await recordExternalRefund(app, TELEGRAM_STARS, {
    providerPaymentId,
    providerRefundId: `telegram:${providerPaymentId}`,
    status: 'succeeded',
    amountMinor: refunded.total_amount * HUNDREDTHS,
  });
}
