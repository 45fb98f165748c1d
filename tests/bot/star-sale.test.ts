import { afterEach, describe, expect, it } from 'vitest';
import { runPackagesCommand } from '#api/commands/packages.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { reconcileStarSales } from '#api/services/payments/reconcile-telegram-stars.ts';
import { useBotHarness } from '#tests/support/bot-harness.ts';
import { addRefund } from '#tests/support/fake-telegram-methods.ts';
import { linkChat } from '#tests/support/link-chat.ts';
import { agePayments, bringBuyer } from '#tests/support/star-buyers.ts';
import { createAdmin, registerVerified } from '#tests/support/users.ts';

const harness = useBotHarness({ TELEGRAM_STARS: 'on' });

afterEach(async () => {
  await runPackagesCommand(harness.testApp.app, ['edit', '1', '--xtr=0']);
});

/** The books, with the money in Telegram Stars. */
async function readStarBooks() {
  const { money, discrepancies } = await readBooks(harness.testApp.app);
  const stars = money.find(({ currency }) => currency === 'XTR') ?? { inMinor: 0, outMinor: 0 };
  return { money: stars, discrepancies };
}

describe('a package for Telegram Stars', () => {
  it('is paid and credited once, opens the originals, and is given back by the administrator', async () => {
    const { money: before } = await readStarBooks();
    const anna = await bringBuyer(harness);
    const [invoice] = anna.messages().filter(({ kind }) => kind === 'invoice');
    expect(invoice?.invoice).toMatchObject({ currency: 'XTR', prices: [{ amount: 250 }], provider_token: '' });
    const chargeId = `charge-of-${anna.id}`;
    expect(await anna.pay(chargeId)).toBe(true);
    await anna.waitFor(/Зачислено 10 звёзд, на балансе 12 звёзд/);
    const { app, server } = harness.testApp;
    const account = await harness.accountOf(anna);
    const payment = await app.db.payment.findFirstOrThrow({ where: { accountId: account.id } });
    expect(payment).toMatchObject({
      status: 'succeeded',
      currency: 'XTR',
      provider: 'telegram_stars',
      amountMinor: 25_000,
    });
    expect(payment.providerPaymentId).toBe(`${anna.id}:${chargeId}`);
    anna.reportPayment(chargeId);
    await harness.settle(anna);
    await harness.finishJobs();
    expect((await harness.accountOf(anna)).starBalance).toBe(12);
    await anna.ask('/balance', /без логотипа/);

    const admin = await createAdmin(harness.testApp);
    const refund = (body: object) =>
      server.inject({
        method: 'POST',
        url: `/api/admin/payments/${payment.id}/refund`,
        headers: { cookie: admin.cookie },
        payload: body,
      });
    const partial = await refund({ reason: 'просьба', amountRub: 100 });
    expect(partial.statusCode).toBe(409);
    expect(harness.telegram.refundedCharges).not.toContain(chargeId);
    const whole = await refund({ reason: 'просьба' });
    expect(whole.json()).toMatchObject({ status: 'succeeded', starsTaken: 10 });
    expect(harness.telegram.refundedCharges).toContain(chargeId);
    anna.reportRefund(chargeId);
    const { text } = await anna.waitFor(/Telegram вернул вам 250/);
    expect(text).toMatch(/С баланса снято: 10 звёзд\.\s+Оригиналы без логотипа снова закрыты/);
    expect((await harness.accountOf(anna)).starBalance).toBe(2);
    const { money, discrepancies } = await readStarBooks();
    expect(discrepancies).toEqual([]);
    expect([money.inMinor - before.inMinor, money.outMinor - before.outMinor]).toEqual([25_000, 25_000]);
  });

  it('is checked and credited at once, even while the chat’s own updates wait', async () => {
    const clara = await bringBuyer(harness);
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    harness.telegram.upset('sendMessage', { kind: 'hold', until });
    clara.say('привет');
    // It is there, and its sender does not know yet.
    await clara.waitFor(/понимает фото и команды/);
    // The chat's own updates wait until `letGo`, so a payment behind them would never be answered.
    expect(await clara.pay('charge-5')).toBe(true);
    await clara.waitFor(/Зачислено 10 звёзд/);
    const { db } = harness.testApp.app;
    expect(await db.telegramUpdate.count({ where: { chatId: clara.id, finishedAt: null } })).toBe(2);
    expect((await harness.accountOf(clara)).starBalance).toBe(12);
    letGo();
    await harness.settle(clara);
    await harness.finishJobs();
    expect(clara.messages().filter(({ text }) => text.includes('Зачислено'))).toHaveLength(1);
  });

  it('without a price is not offered, and roubles are never asked for', async () => {
    const dina = await harness.newMember();
    await dina.ask('/balance', /Купить звезды можно на сайте/);
    expect(dina.transcript()).not.toMatch(/₽|руб/);
  });

  it('of an invoice that is not ours is not credited, and goes back', async () => {
    const emma = await harness.newMember();
    emma.reportPayment('charge-6', { invoice: crypto.randomUUID(), amount: 1 });
    await emma.waitFor(/Telegram вернёт вам 1 ⭐️/);
    await harness.waitUntil(async () => expect(harness.telegram.refundedCharges).toContain('charge-6'));
    expect((await harness.accountOf(emma)).starBalance).toBe(2);
  });

  it('is not offered without end: the eleventh unpaid invoice of an hour is refused', async () => {
    const fanny = await bringBuyer(harness);
    const { db } = harness.testApp.app;
    const { id: accountId } = await harness.accountOf(fanny);
    for (let index = 0; index < 10; index++) fanny.press('10 звёзд за 250 ⭐️');
    await fanny.waitForNotice(/много неоплаченных счетов/);
    await harness.settle(fanny);
    const invoices = () => fanny.messages().filter(({ kind }) => kind === 'invoice').length;
    expect([await db.payment.count({ where: { accountId } }), invoices()]).toEqual([10, 10]);
    await db.payment.updateMany({ where: { accountId }, data: { createdAt: new Date(Date.now() - 3_700_000) } });
    fanny.press('10 звёзд за 250 ⭐️');
    await harness.waitUntil(async () => expect(invoices()).toBe(11));
  });

  it('cannot be paid by the invoice of another day', async () => {
    const gala = await bringBuyer(harness);
    const { db } = harness.testApp.app;
    const { id: accountId } = await harness.accountOf(gala);
    await db.payment.updateMany({ where: { accountId }, data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    expect(await gala.pay('charge-old')).toBe(false);
    await reconcile();
    expect(await db.payment.findFirstOrThrow({ where: { accountId } })).toMatchObject({ status: 'canceled' });
  });

  it('whose invoice was sent before the accounts became one is paid into the account of the site', async () => {
    const hanna = await bringBuyer(harness);
    const { app } = harness.testApp;
    const site = await registerVerified(harness.testApp);
    await linkChat(app, { accountId: site.account.id, chatId: hanna.id });
    expect(await hanna.pay('charge-merged')).toBe(true);
    await hanna.waitFor(/Зачислено 10 звёзд, на балансе 12 звёзд/);
    const account = await harness.accountOf(hanna);
    expect([account.id, account.starBalance]).toEqual([site.account.id, 12]);
  });
});

const reconcile = () => reconcileStarSales(harness.testApp.app, new AbortController().signal);
const letTimePass = (seconds?: number) => agePayments(harness, seconds);

describe('what Telegram’s list has and the books have not', () => {
  it('is booked once: a payment whose update was lost, told to its buyer, and a refund', async () => {
    const ida = await bringBuyer(harness);
    const chargeId = `charge-lost-of-${ida.id}`;
    expect(await ida.pay(chargeId, { isUpdateLost: true })).toBe(true);
    const balance = async () => (await harness.accountOf(ida)).starBalance;
    await reconcile();
    // The update may still come.
    expect(await balance()).toBe(2);
    letTimePass();
    await reconcile();
    await ida.waitFor(/Зачислено 10 звёзд, на балансе 12 звёзд/);
    await reconcile();
    expect(await balance()).toBe(12);

    // Then the update comes after all.
    ida.reportPayment(chargeId);
    await harness.settle(ida);
    await harness.finishJobs();
    expect(await balance()).toBe(12);
    expect(ida.messages().filter(({ text }) => text.includes('Зачислено'))).toHaveLength(1);

    addRefund(harness.telegram, chargeId);
    letTimePass();
    await reconcile();
    await reconcile();
    expect(await balance()).toBe(2);
    expect((await readBooks(harness.testApp.app)).discrepancies).toEqual([]);
  });

  it('is found behind a long past, which is not read again and again', async () => {
    const julia = await bringBuyer(harness);
    expect(await julia.pay('charge-before')).toBe(true);
    await julia.waitFor(/Зачислено/);
    const { db } = harness.testApp.app;
    const longAgo = new Date(Date.now() - 10 * 24 * 3_600_000);
    await db.payment.updateMany({ where: { status: 'succeeded' }, data: { paidAt: longAgo } });
    letTimePass(10 * 24 * 3600);
    julia.press('10 звёзд за 250 ⭐️');
    await harness.settle(julia);
    expect(await julia.pay('charge-behind', { isUpdateLost: true })).toBe(true);
    for (const one of harness.telegram.starTransactions)
      if (one.id === 'charge-behind') one.date = Number(one.date) - 120;
    await reconcile();
    expect((await harness.accountOf(julia)).starBalance).toBe(22);
    const offsets = harness.telegram.calls
      .filter(({ method }) => method === 'getStarTransactions')
      .map(({ payload }) => Number(payload.offset));
    expect(offsets.at(-1)).toBeGreaterThan(0);

    // With another bot's token, nothing in its list is skipped.
    harness.telegram.starTransactions.splice(0, harness.telegram.starTransactions.length - 1);
    await db.payment.updateMany({
      where: { providerPaymentId: `${julia.id}:charge-behind` },
      data: { paidAt: longAgo },
    });
    await reconcile();
    const last = harness.telegram.calls.filter(({ method }) => method === 'getStarTransactions').at(-1);
    expect(last?.payload.offset).toBe(0);
  });
});
