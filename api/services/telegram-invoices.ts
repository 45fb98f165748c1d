import type { PreCheckoutQuery, RefundedPayment, SuccessfulPayment } from 'grammy/types';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import type { Payment, StarPackage } from '#prisma/generated/client.ts';
import { ERRORS } from '#shared/contract/errors.ts';
import { nameTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import { assertNotLeaving } from './account-deletion.ts';
import { confirmPayment } from './confirm-payment.ts';
import { bookRefundElsewhere } from './provider-refunds.ts';
import { lockBalance } from './stars.ts';
import { isUuid } from './uuid.ts';

/** Of the table of payments, in which money stands in hundredths. */
const HUNDREDTHS = 100;
/** Of one account, within the hour that the refusal speaks of. */
const OPEN_INVOICES_MAX = 10;
const OPEN_INVOICES_MS = 3_600_000;
/** An invoice that is older cannot be paid any more; its message stays in the chat for ever. */
const INVOICE_LIFETIME_MS = 24 * 3_600_000;

const PENDING_FOR_STARS = { provider: TELEGRAM_STARS, status: 'pending' } as const;

export type PackageForTelegram = StarPackage & { priceXtr: number };

/** What the bot sells, the smallest first; nothing unless the operator has turned it on and set prices. */
export async function listPackagesForTelegram(
  app: Pick<AppContext, 'db' | 'config' | 'telegramStars'>,
): Promise<PackageForTelegram[]> {
  if (!app.config.telegram.sellsStars || !app.telegramStars) return [];
  const packages = await app.db.starPackage.findMany({
    where: { isActive: true, priceXtr: { not: null } },
    orderBy: [{ stars: 'asc' }, { id: 'asc' }],
  });
  return packages.filter((one): one is PackageForTelegram => one.priceXtr !== null);
}

/**
 * An invoice in the Stars of Telegram; the same key answers the same one. Throws package_unknown, deletion_asked,
 * too_many_invoices.
 */
export async function createTelegramInvoice(
  app: AppContext,
  { accountId, packageId, idempotencyKey }: { accountId: number; packageId: number; idempotencyKey: string },
): Promise<Payment & { priceXtr: number }> {
  await assertNotLeaving(app.db, accountId);
  const starPackage = (await listPackagesForTelegram(app)).find(({ id }) => id === packageId);
  if (!starPackage) throw new AppError('package_unknown');
  const payment = await app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    const key = { accountId_idempotencyKey: { accountId, idempotencyKey } };
    const repeated = await tx.payment.findUnique({ where: key });
    if (repeated) return repeated;
    const createdAt = { gt: new Date(Date.now() - OPEN_INVOICES_MS) };
    const unpaid = await tx.payment.count({ where: { ...PENDING_FOR_STARS, accountId, createdAt } });
    if (unpaid >= OPEN_INVOICES_MAX) throw new AppError('too_many_invoices');
    return tx.payment.create({
      data: {
        ...{ accountId, packageId, idempotencyKey, provider: TELEGRAM_STARS, currency: 'XTR' },
        packageName: starPackage.name,
        stars: starPackage.stars,
        amountKopecks: starPackage.priceXtr * HUNDREDTHS,
      },
    });
  });
  return { ...payment, priceXtr: payment.amountKopecks / HUNDREDTHS };
}

/** Looks at everything again and tells Telegram whether the payment may go on; it waits for ten seconds at the most. */
export async function answerPreCheckout(app: AppContext, query: PreCheckoutQuery): Promise<void> {
  try {
    const isGood = await isPayable(app, query);
    await app.telegram?.answerPreCheckoutQuery(
      query.id,
      isGood,
      isGood ? {} : { error_message: ERRORS.package_unknown.message },
    );
  } catch (error) {
    app.log.error({ err: error, paymentId: query.invoice_payload }, 'a question before a payment was not answered');
  }
}

async function isPayable(app: AppContext, query: PreCheckoutQuery): Promise<boolean> {
  if (!isUuid(query.invoice_payload) || query.currency !== 'XTR') return false;
  const payment = await app.db.payment.findUnique({
    where: { id: query.invoice_payload },
    include: { package: true, account: { include: { telegramUser: true } } },
  });
  if (payment?.provider !== TELEGRAM_STARS || payment.status !== 'pending') return false;
  const { account, package: starPackage } = payment;
  const isOwn = account.telegramUser?.id === BigInt(query.from.id) && account.deletionAskedAt === null;
  const isOfToday = Date.now() - payment.createdAt.getTime() < INVOICE_LIFETIME_MS;
  const isPriceOfToday = starPackage?.isActive && (starPackage.priceXtr ?? 0) * HUNDREDTHS === payment.amountKopecks;
  const isForSale = app.config.telegram.sellsStars && isOfToday && Boolean(isPriceOfToday);
  return isOwn && isForSale && query.total_amount * HUNDREDTHS === payment.amountKopecks;
}

/** Books what Telegram says was paid; the same again changes nothing. Null for what is no payment of ours. */
export async function confirmTelegramPayment(
  app: AppContext,
  telegramUserId: number,
  paid: Pick<SuccessfulPayment, 'currency' | 'total_amount' | 'invoice_payload' | 'telegram_payment_charge_id'>,
): Promise<Payment | null> {
  const outcome = await confirmPayment(app, TELEGRAM_STARS, {
    providerPaymentId: nameTelegramPayment(telegramUserId, paid.telegram_payment_charge_id),
    orderId: paid.invoice_payload,
    status: 'succeeded',
    amountKopecks: paid.total_amount * HUNDREDTHS,
    currency: paid.currency,
    isTest: false,
    paymentUrl: null,
    cancellationReason: null,
  });
  if (outcome === 'refused') return null;
  return app.db.payment.findUniqueOrThrow({ where: { id: paid.invoice_payload } });
}

/** Whom a payment in Telegram Stars belongs to now, and what was bought. */
export function getTelegramPurchase(
  app: Pick<AppContext, 'db'>,
  paymentId: string,
): Promise<{ accountId: number; stars: number }> {
  const select = { accountId: true, stars: true };
  return app.db.payment.findUniqueOrThrow({ where: { id: paymentId, provider: TELEGRAM_STARS }, select });
}

/** Cancels invoices that cannot be paid any more. One that was paid after all is credited nevertheless. */
export async function cancelStaleInvoices(app: Pick<AppContext, 'db'>): Promise<void> {
  await app.db.payment.updateMany({
    where: { ...PENDING_FOR_STARS, createdAt: { lt: new Date(Date.now() - INVOICE_LIFETIME_MS) } },
    data: { status: 'canceled', cancellationReason: 'never_paid', canceledAt: new Date() },
  });
}

/** A refund that Telegram tells of: ours, which is booked already, or one made without us. */
export async function bookTelegramRefund(
  app: AppContext,
  telegramUserId: number,
  refunded: Pick<RefundedPayment, 'telegram_payment_charge_id' | 'total_amount'>,
): Promise<void> {
  const providerPaymentId = nameTelegramPayment(telegramUserId, refunded.telegram_payment_charge_id);
  await bookRefundElsewhere(app, TELEGRAM_STARS, {
    ...{ providerPaymentId, providerRefundId: `telegram:${providerPaymentId}`, status: 'succeeded' },
    amountKopecks: refunded.total_amount * HUNDREDTHS,
  });
}
