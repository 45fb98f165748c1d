import type { StarTransaction, TransactionPartner } from 'grammy/types';
import type { AppContext } from '#api/app-context.ts';
import { nameTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import { bookTelegramRefund, cancelStaleInvoices, confirmTelegramPayment } from './telegram-invoices.ts';

/** Older than this, everything has been looked at hundreds of times. */
const LOOK_BACK_MS = 3 * 24 * 3_600_000;
/** The update that tells of a transaction may still be on its way. */
const UNDER_WAY_MS = 60_000;
/** Telegram's largest page. */
const PAGE = 100;

/**
 * Compares the last days of Telegram's own list of transactions with the books: a payment or a refund whose update was
 * lost is booked now, by the same way as the update would have been, and the buyer is told.
 */
export async function reconcileStarSales(app: AppContext, signal: AbortSignal): Promise<void> {
  await cancelStaleInvoices(app);
  const hasSold = await app.db.payment.findFirst({ where: { provider: TELEGRAM_STARS }, select: { id: true } });
  if (!app.telegram || !hasSold) return;
  const transactions = await listRecentTransactions(app, app.telegram, signal);
  const booked = await findBooked(app, transactions);
  for (const transaction of transactions) {
    try {
      await bookTransaction(app, transaction, booked);
    } catch (error) {
      // The others must not wait for it; the next look takes it up again.
      app.log.error({ err: error, chargeId: transaction.id }, 'a transaction in Telegram Stars could not be booked');
    }
  }
}

/**
 * Telegram counts from the oldest one. Each of ours from before the last days stands in its list before those days, so
 * their number can be passed over; unless the list is another bot's, where nothing is.
 */
async function listRecentTransactions(
  app: AppContext,
  telegram: NonNullable<AppContext['telegram']>,
  signal: AbortSignal,
): Promise<StarTransaction[]> {
  const since = Date.now() - LOOK_BACK_MS;
  let offset = await countBookedBefore(app, new Date(since));
  if (offset > 0) {
    const { transactions } = await telegram.getStarTransactions({ offset: offset - 1, limit: 1 });
    const [last] = transactions;
    if (!last || last.date * 1000 > since) offset = 0;
  }
  const found: StarTransaction[] = [];
  while (!signal.aborted) {
    const { transactions } = await telegram.getStarTransactions({ offset, limit: PAGE });
    found.push(...transactions.filter(({ date }) => date * 1000 > since && date * 1000 < Date.now() - UNDER_WAY_MS));
    if (transactions.length < PAGE) break;
    offset += PAGE;
  }
  return found;
}

async function countBookedBefore(app: AppContext, before: Date): Promise<number> {
  const paid = await app.db.payment.count({ where: { provider: TELEGRAM_STARS, paidAt: { lt: before } } });
  const refunded = await app.db.refund.count({
    where: { status: 'succeeded', finishedAt: { lt: before }, payment: { provider: TELEGRAM_STARS } },
  });
  return paid + refunded;
}

async function findBooked(app: AppContext, transactions: StarTransaction[]): Promise<Set<string>> {
  const names = transactions.flatMap(({ id, source }) => {
    const buyer = findBuyer(source);
    return buyer ? [nameTelegramPayment(buyer.user.id, id)] : [];
  });
  const payments = await app.db.payment.findMany({
    where: { provider: TELEGRAM_STARS, status: 'succeeded', providerPaymentId: { in: names } },
    select: { providerPaymentId: true },
  });
  return new Set(payments.flatMap(({ providerPaymentId }) => providerPaymentId ?? []));
}

async function bookTransaction(
  app: AppContext,
  { id, amount, source, receiver }: StarTransaction,
  booked: ReadonlySet<string>,
): Promise<void> {
  const buyer = findBuyer(source);
  if (buyer?.invoice_payload && !booked.has(nameTelegramPayment(buyer.user.id, id))) {
    const payment = await confirmTelegramPayment(app, buyer.user.id, {
      ...{ currency: 'XTR', total_amount: amount, invoice_payload: buyer.invoice_payload },
      telegram_payment_charge_id: id,
    });
    if (!payment) return;
    app.log.warn({ paymentId: payment.id }, 'a payment was booked whose update did not come');
    await app.db.$transaction((tx) => app.queue.send(tx, 'tell-telegram-purchase', { paymentId: payment.id }));
  }
  const refunded = findBuyer(receiver);
  if (refunded) {
    await bookTelegramRefund(app, refunded.user.id, { telegram_payment_charge_id: id, total_amount: amount });
  }
}

/** A person who paid an invoice, or was given the money for one back. */
function findBuyer(partner: TransactionPartner | undefined) {
  return partner?.type === 'user' && partner.transaction_type === 'invoice_payment' ? partner : null;
}
