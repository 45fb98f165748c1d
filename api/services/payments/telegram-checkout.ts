import type { PreCheckoutQuery } from 'grammy/types';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { HUNDREDTHS, TELEGRAM_STARS } from '#shared/rules/telegram-stars.ts';
import { INVOICE_LIFETIME_MS } from './telegram-invoices.ts';

/** After one payment of an invoice is allowed, no other is for this time. Telegram reports a payment within seconds. */
const IN_PROGRESS_MS = 60_000;

/** Shown by Telegram above its payment form: the reason, and what to do. */
const REFUSALS = {
  unknown: 'Такого счёта нет. Откройте /balance и выберите пакет',
  paid: 'Этот счёт уже оплачен. Чтобы купить ещё, откройте /balance и выберите пакет',
  under_way: 'Этот счёт уже оплачивается. Подождите минуту и проверьте /balance',
  too_old: 'Счёт действует сутки, этот устарел. Откройте /balance и выберите пакет',
  unlinked: 'Аккаунт, которому выставлен счёт, больше не связан с Telegram. Откройте /balance и выберите пакет',
  of_another: 'Этот счёт выставлен другому аккаунту. Откройте /balance и выберите пакет для своего',
  deletion_asked: 'Ваш аккаунт ждёт удаления. Отмените удаление командой /delete и оплатите снова',
  not_for_sale: 'Этот пакет больше не продаётся. Откройте /balance и выберите другой',
  price_changed: 'Цена этого пакета изменилась. Откройте /balance и выберите его снова',
} as const;
type Refusal = keyof typeof REFUSALS;

/**
 * Checks everything again and tells Telegram whether the payment may proceed. Telegram waits for at most ten seconds.
 */
export async function answerPreCheckout(app: AppContext, query: PreCheckoutQuery): Promise<void> {
  const paymentId = query.invoice_payload;
  try {
    const refusal = (await findRefusal(app, query)) ?? (await allowOnce(app, paymentId));
    if (refusal) app.log.info({ paymentId, refusal }, 'a payment was refused beforehand');
    const answer = refusal ? { error_message: REFUSALS[refusal] } : {};
    await app.telegram?.answerPreCheckoutQuery(query.id, refusal === null, answer);
  } catch (error) {
    app.log.error({ err: error, paymentId }, 'a question before a payment was not answered');
  }
}

async function findRefusal(app: AppContext, query: PreCheckoutQuery): Promise<Refusal | null> {
  if (!isUuid(query.invoice_payload) || query.currency !== 'XTR') return 'unknown';
  const payment = await app.db.payment.findUnique({
    where: { id: query.invoice_payload },
    include: { package: true, account: { include: { telegramUser: true } } },
  });
  if (payment?.provider !== TELEGRAM_STARS) return 'unknown';
  const { account, package: starPackage, status, createdAt, amountMinor } = payment;
  if (status === 'succeeded') return 'paid';
  if (status === 'canceled' || Date.now() - createdAt.getTime() >= INVOICE_LIFETIME_MS) return 'too_old';
  if (!account.telegramUser) return 'unlinked';
  if (account.telegramUser.id !== BigInt(query.from.id)) return 'of_another';
  if (account.deletionAskedAt) return 'deletion_asked';
  if (!app.config.telegram.sellsStars || !starPackage?.isActive || starPackage.priceXtr === null) return 'not_for_sale';
  const prices = [starPackage.priceXtr * HUNDREDTHS, query.total_amount * HUNDREDTHS];
  return prices.every((price) => price === amountMinor) ? null : 'price_changed';
}

/** Of two people who want to pay one invoice only the first may. The other's money would have to be returned. */
async function allowOnce(app: AppContext, id: string): Promise<Refusal | null> {
  const now = Date.now();
  const { count } = await app.db.payment.updateMany({
    where: {
      id,
      status: 'pending',
      OR: [{ checkedAt: null }, { checkedAt: { lt: new Date(now - IN_PROGRESS_MS) } }],
    },
    data: { checkedAt: new Date(now) },
  });
  return count === 1 ? null : 'under_way';
}
