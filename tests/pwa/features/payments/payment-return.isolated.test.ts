import { afterAll, expect, test, vi } from 'vitest';
import { readPaymentReturn, savePaymentReturn } from '#pwa/features/payments/payment-return.ts';
import { createFakeIndexedDb } from '#tests/support/fake-indexed-db.ts';

vi.stubGlobal('indexedDB', createFakeIndexedDb());
afterAll(() => void vi.unstubAllGlobals());

const place = { invoiceId: 'mine', label: 'Продолжить: Фотосессия', purpose: 'Фотосессия', isSettled: false };

test.each(['/dashboard/photoshoot?x=1', '/app'])('a stored page of this site is read back: %s', async (path) => {
  await savePaymentReturn(1, { ...place, path });
  expect(await readPaymentReturn(1)).toEqual({ ...place, path });
});

test('a stored page that a browser may resolve to another site is dropped', async () => {
  await savePaymentReturn(1, { ...place, path: '/app/..//evil.example' });
  expect(await readPaymentReturn(1)).toBeNull();
});
