import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestRefund } from '#api/services/refunds.ts';
import { correctBalance, grantInterviewBonus, grantSignupBonus } from '#api/services/stars.ts';
import { createPaymentStudio, type PaymentStudio } from '#tests/support/payment-studio.ts';
import { type Person, registerVerified } from '#tests/support/people.ts';

let studio: PaymentStudio;
let person: Person;
let invoiceId: string;
beforeAll(async () => {
  studio = await createPaymentStudio();
  person = await registerVerified(studio);
  const { app } = studio;
  const accountId = person.account.id;
  ({ invoiceId } = await studio.buy(accountId));
  await app.db.$transaction(async (tx) => {
    expect(await grantSignupBonus(tx, accountId)).toBe(false);
    expect(await grantInterviewBonus(tx, accountId)).toBe(true);
    expect(await grantInterviewBonus(tx, accountId)).toBe(false);
    const correction = { accountId, delta: -5, reason: 'Ошибочное начисление', adminId: 3, idempotencyKey: 'k' };
    expect(await correctBalance(tx, correction)).toEqual({ balance: 17, isRepeated: false });
    expect(await correctBalance(tx, correction)).toEqual({ balance: 17, isRepeated: true });
    await expect(correctBalance(tx, { ...correction, delta: -4 })).rejects.toThrow('с другими данными');
    await expect(correctBalance(tx, { ...correction, delta: -18, idempotencyKey: null })).rejects.toThrow(
      'нет столько',
    );
    await expect(correctBalance(tx, { ...correction, accountId: 999_999 })).rejects.toThrow('не найден');
  });
  const refund = { paymentId: invoiceId, amountKopecks: 24_500, reason: 'Половина', adminId: 3, idempotencyKey: null };
  await requestRefund(app, refund);
});
afterAll(() => studio.close());

const get = (query = '', cookie = person.cookie) =>
  studio.server.inject({ url: `/api/stars/history${query}`, headers: { cookie } });

describe('the history of stars', () => {
  it('has every row of the ledger, newest first, with its cause and the balance that it left', async () => {
    const { entries, nextCursor } = (await get()).json();
    const payment = { id: invoiceId, packageName: 'Примерка', amountRub: 490, currency: 'RUB' };
    const common = { id: expect.stringMatching(/^\d+$/), createdAt: expect.stringMatching(/Z$/), generation: null };
    expect(entries).toEqual([
      { ...common, kind: 'refund', delta: -5, balance: 12, payment, note: null },
      { ...common, kind: 'correction', delta: -5, balance: 17, payment: null, note: 'Ошибочное начисление' },
      { ...common, kind: 'interview_bonus', delta: 10, balance: 22, payment: null, note: null },
      { ...common, kind: 'purchase', delta: 10, balance: 12, payment, note: null },
      { ...common, kind: 'signup_bonus', delta: 2, balance: 2, payment: null, note: null },
    ]);
    expect(nextCursor).toBeNull();
  });

  it('comes in pages that fit together', async () => {
    const whole = (await get()).json().entries;
    const paged: unknown[] = [];
    const readPage = async (cursor: string): Promise<string | null> => {
      const { entries, nextCursor } = (await get(`?limit=2${cursor}`)).json();
      expect(entries.length).toBeGreaterThan(0);
      paged.push(...entries);
      return nextCursor;
    };
    for (let cursor = await readPage(''); cursor !== null; cursor = await readPage(`&cursor=${cursor}`));
    expect(paged).toEqual(whole);
  });

  it('is the owner’s own', async () => {
    expect((await get('', '')).statusCode).toBe(401);
    const stranger = await registerVerified(studio);
    expect((await get('', stranger.cookie)).json().entries).toHaveLength(1);
  });

  it.each(['?limit=0', '?limit=101', '?limit=x', '?cursor=x', '?cursor=-1', '?cursor=9999999999999999999'])(
    '%s is 400',
    async (query) => {
      expect((await get(query)).statusCode).toBe(400);
    },
  );
});
