import { escapeHtml } from '#api/platform/escape-html.ts';
import { mailOwner } from '#api/services/accounts/mails.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Account, Payment } from '#prisma/generated/client.ts';
import { countStars } from '#shared/rules/plurals.ts';

const MONEY = new Intl.NumberFormat('ru-RU', {
  style: 'currency',
  currency: 'RUB',
  trailingZeroDisplay: 'stripIfInteger',
});
const DAY = new Intl.DateTimeFormat('ru-RU', { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/Moscow' });
const TEST_NOTE = 'Это была тестовая оплата: деньги не списывались.';

interface ReceiptWords {
  subject: string;
  heading: string;
  rows: [name: string, value: string][];
  remark: string;
  footnote: string;
}

/** Mails the buyer a receipt of the purchase. Throws when the mail server did not accept it. */
export async function sendPurchaseReceipt(app: AppContext, paymentId: string): Promise<void> {
  const payment = await app.db.payment.findUniqueOrThrow({ where: { id: paymentId }, include: { account: true } });
  await sendReceipt(app, payment.account, {
    subject: 'Звёзды зачислены — «Подиум»',
    heading: 'Спасибо за покупку',
    rows: [
      ['Пакет', payment.packageName],
      ['Звёзды', countStars(payment.stars)],
      ['Сумма', MONEY.format(payment.amountMinor / 100)],
      ['Оплачено', `${DAY.format(payment.paidAt ?? payment.createdAt)} (МСК)`],
      ['Номер заказа', payment.id],
    ],
    remark: 'Звёзды уже на балансе. Скачивание оригиналов без водяного знака открыто.',
    footnote: noteOnTax(payment),
  });
}

/** Mails the buyer a receipt of the refund. Throws when the mail server did not accept it. */
export async function sendRefundReceipt(app: AppContext, refundId: string): Promise<void> {
  const { payment, ...refund } = await app.db.refund.findUniqueOrThrow({
    where: { id: refundId },
    include: { payment: { include: { account: true } } },
  });
  await sendReceipt(app, payment.account, {
    subject: 'Возврат оформлен — «Подиум»',
    heading: 'Возврат денег',
    rows: [
      ['Пакет', payment.packageName],
      ['Возвращаем', MONEY.format(refund.amountMinor / 100)],
      ['Списано с баланса', countStars(refund.starsTaken)],
      ['Оформлен', `${DAY.format(refund.finishedAt ?? refund.createdAt)} (МСК)`],
      ['Номер заказа', payment.id],
    ],
    remark: 'Деньги вернутся туда, откуда пришли. Банк зачисляет их за несколько дней.',
    footnote: noteOnTax(payment),
  });
}

/** The provider sends the receipt of 54-ФЗ. */
function noteOnTax({ isTest }: Payment): string {
  return isTest ? TEST_NOTE : 'Кассовый чек пришлёт отдельным письмом платёжная система.';
}

async function sendReceipt(
  app: AppContext,
  buyer: Account,
  { subject, heading, rows, remark, footnote }: ReceiptWords,
): Promise<void> {
  const cells = rows.map(
    ([name, value]) =>
      `<tr><td style="padding:6px 16px 6px 0;color:#6b665e;vertical-align:top">${name}</td><td style="padding:6px 0">${escapeHtml(value)}</td></tr>`,
  );
  const table = {
    text: rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
    html: `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:15px;line-height:1.4">
${cells.join('\n')}
</table>`,
  };
  await mailOwner(app, buyer, {
    subject,
    heading,
    paragraphs: [table, remark],
    button: { address: `${app.config.publicUrl}/stars`, text: 'История звёзд' },
    footnote,
  });
}
