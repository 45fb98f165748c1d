import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBooksCommand } from '#api/commands/books.ts';
import { createRowId } from '#api/database/database.ts';
import { endGeneration } from '#api/services/generations/running/outcome.ts';
import { insertGeneration } from '#api/services/generations/starting/insert-generation.ts';
import { requestRefund } from '#api/services/payments/refunds.ts';
import { correctBalance, grantSignupBonus, returnForLoss } from '#api/services/stars/ledger.ts';
import { createAccount, createEngineRun, createPhoto } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness } from '#tests/support/payment-harness.ts';

const PAID_JOB = { engine: 'fal', costMicros: 350_000, currency: 'USD' };

let harness: PaymentHarness;
let accountId: number;
let invoiceId: string;
let generationId: string;
beforeAll(async () => {
  harness = await createPaymentHarness();
  const { app } = harness;
  accountId = (await createAccount(app, { stars: 0 })).id;
  await app.db.$transaction((tx) => grantSignupBonus(tx, accountId));
  ({ invoiceId } = await harness.buy(accountId));
  await harness.buy(accountId, 2);
  const request = { paymentId: invoiceId, amountMinor: 24_500, reason: 'Половина', adminId: 3, idempotencyKey: null };
  await requestRefund(app, request);
  const correction = { accountId, delta: 3, reason: 'Подарок', adminId: 3, idempotencyKey: null };
  await app.db.$transaction((tx) => correctBalance(tx, correction));
  generationId = await hold('video', 2);
  await hold('photosession', 2);
  const failed = await app.db.generation.findUniqueOrThrow({ where: { id: await hold('model_change', 1) } });
  await endGeneration(app, failed, 'engine_error');
});
afterAll(() => harness.close());

async function hold(kind: 'video' | 'photosession' | 'model_change', stars: number): Promise<string> {
  const photo = await createPhoto(harness.app, accountId);
  const id = createRowId();
  const outcome = await insertGeneration(harness.app, {
    id,
    accountId,
    kind,
    inputs: [{ role: 'subject', photoId: photo.id }],
    hasGuess: false,
    settings: {},
    stars,
    reroll: null,
    idempotencyKey: null,
    requestHash: new Uint8Array(32),
    engine: 'fake',
    job: 'run-generation',
    priority: 0,
  });
  if (outcome.state !== 'inserted') throw new Error(outcome.state);
  return id;
}

const run = () => runBooksCommand(harness.app, []);

describe('the books', () => {
  it('add up money, stars and what the engines cost from the database', async () => {
    const { db } = harness.app;
    await db.generation.update({ where: { id: generationId }, data: { status: 'completed' } });
    await db.starEntry.create({
      data: { accountId, kind: 'capture', delta: 0, causeKey: `capture:${generationId}`, generationId },
    });
    const lost = { resultId: randomUUID(), accountId, generationId, position: 0, share: 1 };
    await db.$transaction((tx) => returnForLoss(tx, lost));
    await createEngineRun(harness.app, generationId, { ...PAID_JOB, status: 'failed' });
    await createEngineRun(harness.app, generationId, { ...PAID_JOB, reason: 'failed_before', status: 'uncertain' });
    await createEngineRun(harness.app, generationId, { ...PAID_JOB, reason: 'submit_interrupted' });
    await createEngineRun(harness.app, generationId, { ...PAID_JOB, reason: 'reroll', costMicros: 50_000 });
    await createEngineRun(harness.app, generationId, { engine: 'local' });
    expect((await run()).split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      'Получено: 0.00 ₽ за 0 платеж.',
      'Возвращено: 0.00 ₽ за 0 возвр.',
      'Получено (тестовые, без денег): 1390.00 ₽ за 2 платеж.',
      'Возвращено (тестовые, без денег): 245.00 ₽ за 1 возвр.',
      'Продано звёзд: 30 (из них без денег: 30)',
      'Подарено и исправлено: 6 (регистрация 2, интервью 0, за потерянные файлы 1, вручную 3)',
      'Потрачено на генерации: 2 (уже без возвращённых за неудачи: 1)',
      'Удержано сейчас: 2',
      'Снято при возвратах: 5',
      'На балансах: 27',
      'Затраты на движок fal: 1.10 USD за 4 задан. (повторы 0.35, бесплатные переделки 0.05, свои пробы 0.00, оборванные отправки 0.35)',
      '',
      'Книги сходятся.',
    ]);
  });

  it.each<[string, string, (isWrong: boolean) => string]>([
    [
      'a balance that is not the sum of its ledger',
      'баланс не равен',
      (isWrong) => `UPDATE accounts SET star_balance = star_balance + ${isWrong ? 1 : -1} WHERE id = ${accountId}`,
    ],
    [
      'stars that were sold for nothing',
      'зачисление без оплаченного платежа',
      (isWrong) => `UPDATE payments SET status = '${isWrong ? 'canceled' : 'succeeded'}' WHERE id = '${invoiceId}'`,
    ],
    [
      'a payment that bought another number of stars',
      'оплаченный платёж без своего зачисления',
      (isWrong) => `UPDATE payments SET stars = ${isWrong ? 11 : 10} WHERE id = '${invoiceId}'`,
    ],
    [
      'refunded money without a refund',
      'возвращённая сумма платежа',
      (isWrong) => `UPDATE payments SET refunded_minor = ${isWrong ? 24501 : 24500} WHERE id = '${invoiceId}'`,
    ],
    [
      'money that went back whole while stars stayed',
      'деньги возвращены целиком, а звёзды нет',
      (isWrong) => {
        const minor = isWrong ? 49000 : 24500;
        return `UPDATE refunds SET amount_minor = ${minor};
          UPDATE payments SET refunded_minor = ${minor} WHERE id = '${invoiceId}'`;
      },
    ],
    [
      'a refund that says it took other stars',
      'снятые при возврате звёзды',
      (isWrong) => `UPDATE refunds SET stars_taken = ${isWrong ? 4 : 5}`,
    ],
    [
      'a generation that cost another number of stars',
      'цена генерации не равна удержанию',
      (isWrong) => `UPDATE generations SET stars = ${isWrong ? 1 : 2} WHERE id = '${generationId}'`,
    ],
    [
      'a generation that ended without its hold',
      'удержание не закрыто',
      (isWrong) => `UPDATE generations SET status = '${isWrong ? 'completed' : 'pending'}' WHERE kind = 'photosession'`,
    ],
  ])('do not agree with %s, and the command fails with the whole report', async (_name, complaint, change) => {
    await harness.database.pool.query(change(true));
    await expect(run()).rejects.toThrow(new RegExp(`Получено[^]*Книги НЕ сходятся:[^]*${complaint}`));
    await harness.database.pool.query(change(false));
    expect(await run()).toContain('Книги сходятся.');
  });
});
