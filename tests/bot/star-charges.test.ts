import { describe, expect, it } from 'vitest';
import { runPackagesCommand } from '#api/commands/packages.ts';
import { unlinkTelegram } from '#api/services/account-lifecycle/link-telegram.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { useBotStudio } from '#tests/support/bot-studio.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import { registerVerified } from '#tests/support/people.ts';
import { agePayments, bringBuyer, charge, invoiceOf, orderStars } from '#tests/support/star-buyers.ts';
import type { TelegramPerson } from '#tests/support/telegram-person.ts';

const studio = useBotStudio({ TELEGRAM_STARS: 'on' });
const reconcile = () => reconcileStarSales(studio.testApp.app, new AbortController().signal);

/** The refusal that Telegram shows above its payment form. */
const refusalOf = (chargeId: string) =>
  studio.telegram.calls.find(({ payload }) => payload.pre_checkout_query_id === `checkout-${chargeId}`)?.payload
    .error_message;

/** The audit's rows about a charge, oldest first. */
async function auditOf(person: TelegramPerson, chargeId: string) {
  const rows = await studio.testApp.app.db.auditEntry.findMany({
    where: { details: { path: ['chargeId'], equals: `${person.id}:${chargeId}` } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ action, accountId, details }) => ({ action, accountId, ...(details as object) }));
}

const refundsOf = (chargeId: string) =>
  studio.telegram.calls.filter(
    ({ method, payload }) => method === 'refundStarPayment' && payload.telegram_payment_charge_id === chargeId,
  );

describe('a payment that fits no invoice', () => {
  it('because its invoice is paid already goes back by itself, also when Telegram fails, and is told once', async () => {
    const kira = await bringBuyer(studio);
    const [fitting, second] = [`charge-a-of-${kira.id}`, `charge-b-of-${kira.id}`];
    expect(await kira.pay(fitting)).toBe(true);
    await kira.waitFor(/Зачислено 10 звёзд/);
    studio.telegram.upset('refundStarPayment', { kind: 'refuse', status: 500, description: 'Internal Server Error' });
    charge(studio, kira, second);
    await kira.waitFor(/не подошла ни к одному неоплаченному счёту.* Telegram вернёт вам 250 ⭐️/);
    await studio.waitUntil(async () => expect(studio.telegram.refundedCharges).toContain(second));
    await studio.waitUntil(async () => expect(await auditOf(kira, second)).toHaveLength(2));
    const account = await studio.accountOf(kira);
    expect(account.starBalance).toBe(12);
    expect(await auditOf(kira, second)).toMatchObject([
      { action: 'star_charge_unmatched', accountId: account.id, amountRub: 250, reason: 'счёт уже оплачен' },
      { action: 'star_charge_returned', amountRub: 250, currency: 'XTR' },
    ]);

    // Telegram reports the refund, repeats the update, and lists both.
    kira.send({
      refunded_payment: {
        ...{ currency: 'XTR', total_amount: 250, invoice_payload: invoiceOf(kira) },
        telegram_payment_charge_id: second,
      },
    });
    charge(studio, kira, second);
    // A charge that has paid an invoice is never returned, whatever later updates say.
    charge(studio, kira, fitting, { amount: 1 });
    await studio.settle(kira);
    await studio.finishJobs();
    agePayments(studio);
    await reconcile();
    await reconcile();
    await studio.finishJobs();
    expect(await auditOf(kira, second)).toHaveLength(2);
    expect(refundsOf(second)).toHaveLength(2);
    expect(kira.messages().filter(({ text }) => /верн/.test(text))).toHaveLength(1);
    expect((await studio.accountOf(kira)).starBalance).toBe(12);
    expect(studio.telegram.refundedCharges).not.toContain(fitting);
    expect((await readBooks(studio.testApp.app)).discrepancies).toEqual([]);
  });

  it('because of its sum goes back, and the invoice can still be paid', async () => {
    const lena = await bringBuyer(studio);
    charge(studio, lena, 'charge-less', { amount: 1 });
    // The second row is written after Telegram's answer.
    await studio.waitUntil(async () =>
      expect(await auditOf(lena, 'charge-less')).toMatchObject([
        { amountRub: 1, reason: 'сумма не та, что в счёте' },
        { action: 'star_charge_returned' },
      ]),
    );
    expect(refundsOf('charge-less')).toHaveLength(1);
    expect(await lena.pay('charge-right')).toBe(true);
    await lena.waitFor(/Зачислено 10 звёзд, на балансе 12 звёзд/);
  });

  it('goes back once when only Telegram’s list tells of it; one from before our first invoice is left alone', async () => {
    const mila = await bringBuyer(studio);
    charge(studio, mila, 'charge-listed', { invoice: crypto.randomUUID(), isUpdateLost: true });
    charge(studio, mila, 'charge-of-another-program', { invoice: 'order 5', isUpdateLost: true });
    agePayments(studio);
    for (const one of studio.telegram.starTransactions)
      if (one.id === 'charge-of-another-program') one.date = Number(one.date) - 48 * 3600;
    await reconcile();
    await reconcile();
    await mila.waitFor(/Telegram вернёт вам 250/);
    await studio.waitUntil(async () => expect(await auditOf(mila, 'charge-listed')).toHaveLength(2));
    expect(refundsOf('charge-listed')).toHaveLength(1);
    expect(await auditOf(mila, 'charge-of-another-program')).toEqual([]);
  });
});

describe('the question before a payment', () => {
  it('is answered with no while the invoice is being paid, for a minute', async () => {
    const nina = await bringBuyer(studio);
    expect(await nina.pay('charge-first', { isUpdateLost: true })).toBe(true);
    expect(await nina.pay('charge-second')).toBe(false);
    expect(refusalOf('charge-second')).toMatch(/уже оплачивается. Подождите минуту/);
    const { db } = studio.testApp.app;
    await db.payment.update({
      where: { id: invoiceOf(nina) },
      data: { checkedAt: new Date(Date.now() - 61_000) },
    });
    expect(await nina.pay('charge-third')).toBe(true);
  });

  it('is answered with the reason and what to do', async () => {
    const olga = await bringBuyer(studio);
    const { app } = studio.testApp;
    const { id: accountId } = await studio.accountOf(olga);
    const expectRefusal = async (chargeId: string, reason: RegExp) => {
      expect(await olga.pay(chargeId), chargeId).toBe(false);
      expect(refusalOf(chargeId)).toMatch(reason);
    };
    await runPackagesCommand(app, ['edit', '1', '--xtr=300']);
    await expectRefusal('no-price', /Цена этого пакета изменилась. Откройте \/balance/);
    await runPackagesCommand(app, ['edit', '1', '--xtr=0']);
    await expectRefusal('no-package', /больше не продаётся/);
    await runPackagesCommand(app, ['edit', '1', '--xtr=250']);
    await app.db.account.update({ where: { id: accountId }, data: { deletionAskedAt: new Date() } });
    await expectRefusal('no-leaving', /ждёт удаления. Отмените удаление командой \/delete/);
    await app.db.account.update({ where: { id: accountId }, data: { deletionAskedAt: null } });
    await app.db.telegramUser.update({ where: { id: olga.id }, data: { accountId: null } });
    await expectRefusal('no-link', /больше не связан с Telegram/);
    const other = await studio.newMember();
    const { id: otherId } = await studio.accountOf(other);
    await app.db.payment.update({ where: { id: invoiceOf(olga) }, data: { accountId: otherId } });
    await expectRefusal('no-other', /выставлен другому аккаунту/);
    await app.db.payment.update({ where: { id: invoiceOf(olga) }, data: { accountId } });
    await app.db.telegramUser.update({ where: { id: olga.id }, data: { accountId } });
    const created = (at: Date) => app.db.payment.updateMany({ where: { accountId }, data: { createdAt: at } });
    await created(new Date(Date.now() - 25 * 3_600_000));
    await expectRefusal('no-old', /этот устарел/);
    await created(new Date());
    expect(await olga.pay('yes')).toBe(true);
    await olga.waitFor(/Зачислено/);
    await expectRefusal('no-paid', /уже оплачен. Чтобы купить ещё/);
  });
});

it('a payment that comes after the chat was parted from the account says whose balance has the stars', async () => {
  const polina = await studio.newMember();
  const { app } = studio.testApp;
  const site = await registerVerified(studio.testApp);
  await linkChat(app, { accountId: site.account.id, chatId: polina.id });
  await runPackagesCommand(app, ['edit', '1', '--xtr=250']);
  await orderStars(polina);
  expect(await polina.pay('charge-parted', { isUpdateLost: true })).toBe(true);
  await unlinkTelegram(app, site.account.id);
  charge(studio, polina, 'charge-parted');
  const { text } = await polina.waitFor(/Зачислено 10 звёзд/);
  expect(text).toContain(`на аккаунт сайта ${site.email.slice(0, 2)}…@example.com: там теперь 12 звёзд`);
});
