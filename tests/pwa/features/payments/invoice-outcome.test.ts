import { expect, test } from 'vitest';
import { ApiError } from '#pwa/client/api-error.ts';
import { buildResultAddress } from '#pwa/features/payments/other-result-page.tsx';
import { describeClosedInvoice } from '#pwa/features/payments/unpaid-result.tsx';
import { chooseInterval, readOutcome } from '#pwa/features/payments/use-invoice-outcome.ts';
import type { LookedUpInvoice } from '#shared/contract/payments.ts';

const invoice = (status: LookedUpInvoice['status'], isUnpaid = false): LookedUpInvoice => ({
  id: '7d1c2c34-0a43-4a0b-8a3e-0f0f6c1b7a11',
  status,
  packageName: 'Показ',
  stars: 50,
  amountRub: 1990,
  createdAt: '2026-11-21T12:00:00.000Z',
  paymentUrl: null,
  payableUntil: null,
  isUnpaid,
  isDismissed: false,
});

test('it is asked for again while it is pending or the server does not answer', () => {
  expect(readOutcome(invoice('pending'), null)).toBeNull();
  expect(readOutcome(undefined, null)).toBeNull();
  for (const status of [0, 401, 429, 500, 502]) {
    expect(readOutcome(undefined, new ApiError(status, ''))).toBeNull();
  }
  // A later failure does not discard an existing answer.
  expect(readOutcome(invoice('succeeded'), new ApiError(502, ''))?.state).toBe('succeeded');
});

test('an invoice of another account is neither waited for nor called unknown', () => {
  const refused = new ApiError(403, '', {
    code: 'invoice_forbidden',
    message: 'Этот счёт выставлен другому аккаунту.',
  });
  expect(readOutcome(undefined, refused)?.state).toBe('foreign');
});

test('the address says whether the payment has come', () => {
  const { id } = invoice('pending');
  expect(buildResultAddress({ state: 'succeeded', invoice: { id } })).toBe(`/payment/success?invoice=${id}`);
  for (const state of ['unpaid', 'canceled'] as const) {
    expect(buildResultAddress({ state, invoice: { id } })).toBe(`/payment/fail?invoice=${id}`);
  }
});

test('an invoice that cannot be paid any more is said to be dismissed or expired, and what to do', () => {
  const [dismissed, expired] = [{ isDismissed: true }, { isDismissed: false }].map(describeClosedInvoice);
  expect([dismissed?.title, expired?.title]).toEqual(['Счёт отменён', 'Срок оплаты истёк']);
  for (const closed of [dismissed, expired]) expect(closed?.text).toMatch(/выберите пакет снова/i);
});

test('an unpaid invoice is asked about as long as its page is open, ever more seldom; an undecided one for a minute', () => {
  const unpaid = { state: 'unpaid', invoice: invoice('pending', true) } as const;
  const pauses = [1, 5, 10, 50].map((answers) => chooseInterval(unpaid, true, answers));
  expect(pauses).toEqual([...pauses].sort((a, b) => Number(a) - Number(b)));
  expect([pauses[0], pauses.at(-1)]).toEqual([6000, 60_000]);
  expect([false, true].map((isLate) => chooseInterval(null, isLate, 3))).toEqual([2000, false]);
  expect(chooseInterval({ state: 'canceled', invoice: invoice('canceled') }, false, 3)).toBe(false);
});
