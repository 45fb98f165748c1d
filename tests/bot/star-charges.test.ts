import { describe, expect, it } from 'vitest';
import { runPackagesCommand } from '#api/commands/packages.ts';
import { unlinkTelegram } from '#api/services/account-lifecycle/link-telegram.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import { agePayments, bringBuyer, orderStars } from '#tests/support/star-buyers.ts';
import type { TelegramUser } from '#tests/support/telegram-user.ts';
import { registerVerified } from '#tests/support/users.ts';

const harness = useBotHarness({ TELEGRAM_STARS: 'on' });
const reconcile = () => reconcileStarSales(harness.testApp.app, new AbortController().signal);

/** The refusal that Telegram shows above its payment form. */
const refusalOf = (chargeId: string) =>
  harness.telegram.calls.find(({ payload }) => payload.pre_checkout_query_id === `checkout-${chargeId}`)?.payload
    .error_message;

/** The audit's rows about a charge, oldest first. */
async function auditOf(user: TelegramUser, chargeId: string) {
  const rows = await harness.testApp.app.db.auditEntry.findMany({
    where: { details: { path: ['chargeId'], equals: `${user.id}:${chargeId}` } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ action, accountId, details }) => ({ action, accountId, ...(details as object) }));
}

const refundsOf = (chargeId: string) =>
  harness.telegram.calls.filter(
    ({ method, payload }) => method === 'refundStarPayment' && payload.telegram_payment_charge_id === chargeId,
  );

describe('a payment that fits no invoice', () => {
  it('because its invoice is paid already goes back by itself, also when Telegram fails, and is told once', async () => {
    const kira = await bringBuyer(harness);
    const [fitting, second] = [`charge-a-of-${kira.id}`, `charge-b-of-${kira.id}`];
    expect(await kira.pay(fitting)).toBe(true);
    await kira.waitFor(/Зачислено 10 звёзд/);
    harness.telegram.upset('refundStarPayment', { kind: 'refuse', status: 500, description: 'Internal Server Error' });
    kira.charge(second);
    await kira.waitFor(/не подошла ни к одному неоплаченному счёту.* Telegram вернёт вам 250 ⭐️/);
    await harness.waitUntil(async () => expect(harness.telegram.refundedCharges).toContain(second));
    await harness.waitUntil(async () => expect(await auditOf(kira, second)).toHaveLength(2));
    const account = await harness.accountOf(kira);
    expect(account.starBalance).toBe(12);
    expect(await auditOf(kira, second)).toMatchObject([
      { action: 'star_charge_unmatched', accountId: account.id, amountRub: 250, reason: 'счёт уже оплачен' },
      { action: 'star_charge_returned', amountRub: 250, currency: 'XTR' },
    ]);

    // Telegram reports the refund, repeats the update, and lists both.
    kira.reportRefund(second);
    kira.charge(second);
    // A charge that has paid an invoice is never returned, whatever later updates say.
    kira.charge(fitting, { amount: 1 });
    await harness.settle(kira);
    await harness.finishJobs();
    agePayments(harness);
    await reconcile();
    await reconcile();
    await harness.finishJobs();
    expect(await auditOf(kira, second)).toHaveLength(2);
    expect(refundsOf(second)).toHaveLength(2);
    expect(kira.messages().filter(({ text }) => /верн/.test(text))).toHaveLength(1);
    expect((await harness.accountOf(kira)).starBalance).toBe(12);
    expect(harness.telegram.refundedCharges).not.toContain(fitting);
    expect((await readBooks(harness.testApp.app)).discrepancies).toEqual([]);
  });

  it('because of its sum goes back, and the invoice can still be paid', async () => {
    const lena = await bringBuyer(harness);
    lena.charge('charge-less', { amount: 1 });
    // The second row is written after Telegram's answer.
    await harness.waitUntil(async () =>
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
    const mila = await bringBuyer(harness);
    mila.charge('charge-listed', { invoice: crypto.randomUUID(), isUpdateLost: true });
    mila.charge('charge-of-another-program', { invoice: 'order 5', isUpdateLost: true });
    agePayments(harness);
    for (const one of harness.telegram.starTransactions)
      if (one.id === 'charge-of-another-program') one.date = Number(one.date) - 48 * 3600;
    await reconcile();
    await reconcile();
    await mila.waitFor(/Telegram вернёт вам 250/);
    await harness.waitUntil(async () => expect(await auditOf(mila, 'charge-listed')).toHaveLength(2));
    expect(refundsOf('charge-listed')).toHaveLength(1);
    expect(await auditOf(mila, 'charge-of-another-program')).toEqual([]);
  });
});

describe('the question before a payment', () => {
  it('is answered with no while the invoice is being paid, for a minute', async () => {
    const nina = await bringBuyer(harness);
    expect(await nina.pay('charge-first', { isUpdateLost: true })).toBe(true);
    expect(await nina.pay('charge-second')).toBe(false);
    expect(refusalOf('charge-second')).toMatch(/уже оплачивается. Подождите минуту/);
    const { db } = harness.testApp.app;
    await db.payment.update({
      where: { id: nina.invoiceId },
      data: { checkedAt: new Date(Date.now() - 61_000) },
    });
    expect(await nina.pay('charge-third')).toBe(true);
  });

  it('is answered with the reason and what to do', async () => {
    const olga = await bringBuyer(harness);
    const { app } = harness.testApp;
    const { id: accountId } = await harness.accountOf(olga);
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
    const other = await harness.newMember();
    const { id: otherId } = await harness.accountOf(other);
    await app.db.payment.update({ where: { id: olga.invoiceId }, data: { accountId: otherId } });
    await expectRefusal('no-other', /выставлен другому аккаунту/);
    await app.db.payment.update({ where: { id: olga.invoiceId }, data: { accountId } });
    await app.db.telegramUser.update({ where: { id: olga.id }, data: { accountId } });
    const created = (at: Date) => app.db.payment.updateMany({ where: { accountId }, data: { createdAt: at } });
    await created(new Date(Date.now() - 25 * 3_600_000));
    await expectRefusal('no-old', /этот устарел/);
    await created(new Date());
    expect(await olga.pay('yes')).toBe(true);
    await olga.waitFor(/Зачислено/);
    await expectRefusal('no-paid', /уже оплачен. Чтобы купить ещё/);
    expect((await harness.accountOf(olga)).starBalance).toBe(12);
  });
});

it('a payment that comes after the chat was parted from the account says whose balance has the stars', async () => {
  const polina = await harness.newMember();
  const { app } = harness.testApp;
  const site = await registerVerified(harness.testApp);
  await linkChat(app, { accountId: site.account.id, chatId: polina.id });
  await runPackagesCommand(app, ['edit', '1', '--xtr=250']);
  await orderStars(polina);
  expect(await polina.pay('charge-parted', { isUpdateLost: true })).toBe(true);
  await unlinkTelegram(app, site.account.id);
  polina.charge('charge-parted');
  const { text } = await polina.waitFor(/Зачислено 10 звёзд/);
  expect(text).toContain(`на аккаунт сайта ${site.email.slice(0, 2)}…@example.com: там теперь 12 звёзд`);
});
