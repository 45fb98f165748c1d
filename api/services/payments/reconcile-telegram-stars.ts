import type { StarTransaction, TransactionPartner } from 'grammy/types';
import type { AppContext } from '#api/services/app-context.ts';
import { nameTelegramPayment, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import {
  bookTelegramRefund,
  cancelStaleInvoices,
  confirmTelegramPayment,
  sendPurchaseNews,
} from './telegram-invoices.ts';
import { listUnmatchedCharges } from './unmatched-charges.ts';

/** Older transactions have been compared hundreds of times. */
const LOOK_BACK_MS = 3 * 24 * 3_600_000;
/** The update about a younger transaction may still be on its way. */
const IN_PROGRESS_MS = 60_000;
/** Largest assumed difference between Telegram's clock and ours. */
const CLOCKS_APART_MS = 3_600_000;
const PAGE = 100;

/**
 * Compares the last days of Telegram's list with the books, and books what had its update lost. Transactions older than
 * our first invoice are not ours: another program may have used the bot's token before.
 */
export async function reconcileStarSales(app: AppContext, signal: AbortSignal): Promise<void> {
  await cancelStaleInvoices(app);
  const first = await app.db.payment.findFirst({
    where: { provider: TELEGRAM_STARS },
    orderBy: { createdAt: 'asc' },
    select: { createdAt: true },
  });
  if (!app.telegram || !first) return;
  const transactions = await listRecentTransactions(app, app.telegram, signal);
  const known: Known = {
    booked: await findBooked(app, transactions),
    unmatched: new Set(await listUnmatchedCharges(app, new Date(Date.now() - LOOK_BACK_MS))),
    since: first.createdAt.getTime() - CLOCKS_APART_MS,
  };
  for (const transaction of transactions) {
    try {
      await bookTransaction(app, transaction, known);
    } catch (error) {
      // Does not hold up the others. The next round tries again.
      app.log.error({ err: error, chargeId: transaction.id }, 'a transaction in Telegram Stars could not be booked');
    }
  }
}

/**
 * Telegram lists the oldest transactions first. Ours from before the last days come first in its list, so they can be
 * skipped by number, unless the list belongs to another bot; then nothing is skipped.
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
    found.push(...transactions.filter(({ date }) => date * 1000 > since && date * 1000 < Date.now() - IN_PROGRESS_MS));
    if (transactions.length < PAGE) break;
    offset += PAGE;
  }
  return found;
}

async function countBookedBefore({ db }: AppContext, moment: Date): Promise<number> {
  const payments = { provider: TELEGRAM_STARS, status: 'succeeded', paidAt: { lt: moment } } as const;
  const refunds = { payment: { provider: TELEGRAM_STARS }, status: 'succeeded', finishedAt: { lt: moment } } as const;
  return (await db.payment.count({ where: payments })) + (await db.refund.count({ where: refunds }));
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

interface Known {
  booked: ReadonlySet<string>;
  /** Names of payments that matched no invoice and were or will be returned. */
  unmatched: ReadonlySet<string>;
  since: number;
}

async function bookTransaction(
  app: AppContext,
  { id, amount, date, source, receiver }: StarTransaction,
  { booked, unmatched, since }: Known,
): Promise<void> {
  const [buyer, refunded] = [findBuyer(source), findBuyer(receiver)];
  const person = (buyer ?? refunded)?.user;
  const name = person ? nameTelegramPayment(person.id, id) : null;
  if (name === null || unmatched.has(name)) return;
  if (buyer?.invoice_payload && !booked.has(name)) {
    if (date * 1000 < since) return;
    const payment = await confirmTelegramPayment(app, buyer.user.id, {
      currency: 'XTR',
      total_amount: amount,
      invoice_payload: buyer.invoice_payload,
      telegram_payment_charge_id: id,
    });
    if (!payment) return;
    app.log.warn({ paymentId: payment.id }, 'a payment was booked whose update did not come');
    await sendPurchaseNews(app, payment.id);
  }
  if (refunded) {
    await bookTelegramRefund(app, refunded.user.id, { telegram_payment_charge_id: id, total_amount: amount });
  }
}

function findBuyer(partner: TransactionPartner | undefined) {
  return partner?.type === 'user' && partner.transaction_type === 'invoice_payment' ? partner : null;
}
