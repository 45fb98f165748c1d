import { afterEach, describe, expect, it } from 'vitest';
import { runPackagesCommand } from '#api/commands/packages.ts';
import { readBooks } from '#api/services/books.ts';
import { useBotStudio } from '#tests/support/bot-studio.ts';
import { createAdmin } from '#tests/support/people.ts';
import type { TelegramPerson } from '#tests/support/telegram-person.ts';

const studio = useBotStudio({ TELEGRAM_STARS: 'on' });

afterEach(async () => {
  await runPackagesCommand(studio.testApp.app, ['edit', '1', '--xtr=0']);
});

async function buyerWithInvoice(): Promise<TelegramPerson> {
  await runPackagesCommand(studio.testApp.app, ['edit', '1', '--xtr=250']);
  const person = await studio.newMember();
  person.say('/balance');
  await person.waitFor(/Пополнить можно прямо здесь/);
  person.press('10 звёзд за 250 ⭐️');
  await person.waitFor(/Пакет «Примерка»: 10 звёзд сервиса/, { kind: 'invoice' });
  return person;
}

describe('a package for Telegram Stars', () => {
  it('is paid and credited once, opens the originals, and is given back by the administrator', async () => {
    const anna = await buyerWithInvoice();
    const [invoice] = anna.messages().filter(({ kind }) => kind === 'invoice');
    expect(invoice?.invoice).toMatchObject({ currency: 'XTR', prices: [{ amount: 250 }], provider_token: '' });
    expect(await anna.pay('charge-1')).toBe(true);
    await anna.waitFor(/Зачислено 10 звёзд, на балансе 12 звёзд/);
    const { app, server } = studio.testApp;
    const account = await studio.accountOf(anna);
    const payment = await app.db.payment.findFirstOrThrow({ where: { accountId: account.id } });
    expect(payment).toMatchObject({
      status: 'succeeded',
      currency: 'XTR',
      provider: 'telegram_stars',
      amountKopecks: 25_000,
    });
    expect(payment.providerPaymentId).toBe(`${anna.id}:charge-1`);
    anna.send({
      successful_payment: {
        ...{ currency: 'XTR', total_amount: 250, invoice_payload: payment.id },
        ...{ telegram_payment_charge_id: 'charge-1', provider_payment_charge_id: '' },
      },
    });
    await studio.settle(anna);
    expect((await studio.accountOf(anna)).starBalance).toBe(12);
    anna.say('/balance');
    await anna.waitFor(/без логотипа/);

    const admin = await createAdmin(studio.testApp);
    const refund = (body: object) =>
      server.inject({
        method: 'POST',
        url: `/api/admin/payments/${payment.id}/refund`,
        headers: { cookie: admin.cookie },
        payload: body,
      });
    const partial = await refund({ reason: 'просьба', amountRub: 100 });
    expect([partial.statusCode, studio.telegram.refundedCharges.size]).toEqual([409, 0]);
    const whole = await refund({ reason: 'просьба' });
    expect(whole.json()).toMatchObject({ status: 'succeeded', starsTaken: 10 });
    expect([...studio.telegram.refundedCharges]).toEqual(['charge-1']);
    anna.send({
      refunded_payment: {
        currency: 'XTR',
        total_amount: 250,
        invoice_payload: payment.id,
        telegram_payment_charge_id: 'charge-1',
      },
    });
    await anna.waitFor(/Telegram вернул вам 250/);
    expect((await studio.accountOf(anna)).starBalance).toBe(2);
    const books = await readBooks(app);
    expect(books.discrepancies).toEqual([]);
    expect(books.money).toContainEqual(
      expect.objectContaining({ currency: 'XTR', inKopecks: 25_000, outKopecks: 25_000 }),
    );
  });

  it('whose price has changed, that is sold no more, or that was paid already is refused before the payment', async () => {
    const boris = await buyerWithInvoice();
    await runPackagesCommand(studio.testApp.app, ['edit', '1', '--xtr=300']);
    expect(await boris.pay('charge-2')).toBe(false);
    await runPackagesCommand(studio.testApp.app, ['edit', '1', '--xtr=250']);
    expect(await boris.pay('charge-3')).toBe(true);
    await boris.waitFor(/Зачислено 10 звёзд/);
    expect(await boris.pay('charge-4')).toBe(false);
    expect((await studio.accountOf(boris)).starBalance).toBe(12);
  });

  it('is asked about past every queue: while the chat’s own updates wait', async () => {
    const clara = await buyerWithInvoice();
    let letGo = () => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    studio.telegram.upset('sendMessage', { kind: 'hold', until });
    clara.say('привет');
    const startedAt = Date.now();
    expect(await clara.pay('charge-5')).toBe(true);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    letGo();
    await clara.waitFor(/Зачислено 10 звёзд/);
  });

  it('that nobody has a price for is not offered, and roubles are never asked for', async () => {
    const dina = await studio.newMember();
    dina.say('/balance');
    await dina.waitFor(/Пополнить можно на сайте/);
    expect(dina.transcript()).not.toMatch(/₽|руб/);
  });

  it('of an invoice that is not ours is not credited', async () => {
    const emma = await studio.newMember();
    emma.send({
      successful_payment: {
        ...{ currency: 'XTR', total_amount: 1, invoice_payload: crypto.randomUUID() },
        ...{ telegram_payment_charge_id: 'charge-6', provider_payment_charge_id: '' },
      },
    });
    await emma.waitFor(/не сошлась со счётом/);
    expect((await studio.accountOf(emma)).starBalance).toBe(2);
  });
});
