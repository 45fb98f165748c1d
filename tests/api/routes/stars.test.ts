import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestRefund } from '#api/services/payments/refunds.ts';
import { correctBalance, grantInterviewBonus, grantSignupBonus } from '#api/services/stars/ledger.ts';
import type { StarEntryKind } from '#prisma/generated/enums.ts';
import type { StarHistoryEntry } from '#shared/contract/stars.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { createPaymentHarness, type PaymentHarness } from '#tests/support/payment-harness.ts';
import { registerVerified, type TestUser } from '#tests/support/users.ts';

let harness: PaymentHarness;
let user: TestUser;
let invoiceId: string;
beforeAll(async () => {
  harness = await createPaymentHarness();
  user = await registerVerified(harness);
  const { app } = harness;
  const accountId = user.account.id;
  ({ invoiceId } = await harness.buy(accountId));
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
  const refund = { paymentId: invoiceId, amountMinor: 24_500, reason: 'Половина', adminId: 3, idempotencyKey: null };
  await requestRefund(app, refund);
});
afterAll(() => harness.close());

const get = (query = '', cookie = user.cookie) =>
  harness.server.inject({ url: `/api/stars/history${query}`, headers: { cookie } });

describe('the history of stars', () => {
  it('has what moved the balance, newest first, with its cause and the balance that it left', async () => {
    const { entries, nextCursor } = (await get()).json();
    const payment = { id: invoiceId, packageName: 'Примерка', amountRub: 490, currency: 'RUB', isTest: true };
    const common = {
      id: expect.stringMatching(/^\d+$/),
      createdAt: expect.stringMatching(/Z$/),
      generation: null,
      returned: 0,
    };
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

  it('has one row for a hold and its capture, no row that moved no stars, and full pages', async () => {
    const { db } = harness.app;
    const spender = await registerVerified(harness);
    const accountId = spender.account.id;
    // The photo session was started in an account that this one then took over.
    const { id: mergedId } = await createAccount(harness.app, { stars: 0 });
    await db.account.update({ where: { id: mergedId }, data: { mergedIntoId: accountId } });
    const [video, session, failed, running] = await Promise.all(
      (['video', 'photosession', 'video', 'model_change'] as const).map((kind) =>
        createGeneration(harness.app, accountId, kind),
      ),
    );
    const book = async (kind: StarEntryKind, delta: number, generationId?: string, of = accountId) => {
      const cause = { causeKey: `${kind}:${generationId ?? randomUUID()}`, ...(generationId ? { generationId } : {}) };
      await db.starEntry.create({ data: { accountId: of, kind, delta, ...cause } });
    };
    await book('correction', 2, undefined, mergedId);
    await book('hold', -1, video);
    await book('hold', -2, session, mergedId);
    await book('capture', 0, video);
    await book('correction', 10);
    await book('capture', 1, session);
    await book('hold', -1, failed);
    await book('release', 1, failed);
    await book('hold', -1, running);
    await db.generation.update({ where: { id: failed }, data: { status: 'failed', failureCode: 'engine_overloaded' } });

    const entries: StarHistoryEntry[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { entries: StarHistoryEntry[]; nextCursor: string | null } = (
        await get(`?limit=3${cursor && `&cursor=${cursor}`}`, spender.cookie)
      ).json();
      entries.push(...page.entries);
      sizes.push(page.entries.length);
      cursor = page.nextCursor;
    }
    const of = (id: string | undefined, kind: string, failureCode: string | null = null) =>
      expect.objectContaining({ generation: { id, kind, made: kind, failureCode } });
    expect(sizes).toEqual([3, 3, 2]);
    expect(entries.map(({ kind, delta, returned, balance }) => [kind, delta, returned, balance])).toEqual([
      ['hold', -1, 0, 11],
      ['release', 1, 0, 12],
      ['hold', -1, 0, 11],
      ['correction', 10, 0, 12],
      ['capture', -1, 1, 2],
      ['capture', -1, 0, 3],
      ['correction', 2, 0, 4],
      ['signup_bonus', 2, 0, 2],
    ]);
    expect([entries[1], entries[4], entries[5]]).toEqual([
      of(failed, 'video', 'engine_overloaded'),
      of(session, 'photosession'),
      of(video, 'video'),
    ]);
  });

  it('is the owner’s own', async () => {
    const stranger = await registerVerified(harness);
    expect((await get('', stranger.cookie)).json().entries).toHaveLength(1);
  });

  it.each(['?limit=0', '?limit=101', '?limit=x', '?cursor=x', '?cursor=-1', '?cursor=9999999999999999999'])(
    '%s is 400',
    async (query) => {
      expect((await get(query)).statusCode).toBe(400);
    },
  );
});
