import { randomUUID } from 'node:crypto';
import { createInvoice } from '#api/services/payments/invoices.ts';
import { createFakeTbank, FAKE_TERMINAL, type FakeTbank } from './fake-tbank.ts';
import { createFakeYookassa, FAKE_SHOP, type FakeYookassa } from './fake-yookassa.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** A server that takes money through a fake YooKassa, and through a fake T-Bank where PAYMENTS names it. */
export interface PaymentStudio extends TestApp {
  yookassa: FakeYookassa;
  tbank: FakeTbank;
  /** Lines of the log so far, parsed. */
  logLines: Record<string, unknown>[];
  /** Delivers a notification; resolves with the status it was answered with. */
  notify(body: unknown, options?: { provider?: string; ip?: string }): Promise<number>;
  /** Opens an invoice, past HTTP. Returns our id and the provider's. */
  openInvoice(
    accountId: number,
    packageId?: number,
    provider?: string,
  ): Promise<{ invoiceId: string; providerPaymentId: string }>;
  /** Opens an invoice and has it paid and booked. */
  buy(accountId: number, packageId?: number): Promise<{ invoiceId: string; providerPaymentId: string }>;
}

/** Package 1 of the migration: 10 stars for 490 roubles. */
export const SMALLEST_PACKAGE = { id: 1, stars: 10, amountMinor: 49_000 };

/** Keys of T-Bank's fake, and what its receipts need. */
export function tbankEnv({ apiUrl }: FakeTbank): Record<string, string> {
  return {
    ...{ TBANK_TERMINAL_KEY: FAKE_TERMINAL.terminalKey, TBANK_PASSWORD: FAKE_TERMINAL.password },
    ...{ TBANK_API_URL: apiUrl, RECEIPT_TAX_SYSTEM: '2' },
  };
}

export async function createPaymentStudio(env: Record<string, string> = {}): Promise<PaymentStudio> {
  const [yookassa, tbank] = await Promise.all([createFakeYookassa(), createFakeTbank()]);
  const logLines: Record<string, unknown>[] = [];
  const testApp = await createTestApp({
    env: {
      ...{ PAYMENTS: 'yookassa', YOOKASSA_SHOP_ID: FAKE_SHOP.shopId, YOOKASSA_SECRET_KEY: FAKE_SHOP.secretKey },
      ...{ YOOKASSA_API_URL: yookassa.apiUrl, YOOKASSA_WEBHOOK_ADDRESSES: '' },
      ...(env.PAYMENTS?.includes('tbank') ? tbankEnv(tbank) : {}),
      ...env,
    },
    onLogLine: (line) => void logLines.push(JSON.parse(line)),
  });
  const { app, server } = testApp;

  const studio: PaymentStudio = {
    ...testApp,
    ...{ yookassa, tbank, logLines },
    async notify(body, { provider = 'yookassa', ip = '185.71.76.1' } = {}) {
      const answer = await server.inject({
        method: 'POST',
        url: `/api/payments/webhook/${provider}`,
        remoteAddress: ip,
        headers: { 'content-type': 'application/json' },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return answer.statusCode;
    },
    async openInvoice(accountId, packageId = SMALLEST_PACKAGE.id, provider) {
      const request = { accountId, packageId, idempotencyKey: randomUUID(), provider };
      const { invoiceId } = await createInvoice(app, request);
      const { providerPaymentId } = await app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } });
      return { invoiceId, providerPaymentId: providerPaymentId ?? '' };
    },
    async buy(accountId, packageId) {
      const opened = await studio.openInvoice(accountId, packageId);
      const status = await studio.notify(yookassa.pay(opened.providerPaymentId));
      if (status !== 200) throw new Error(`the notification was answered with ${status}`);
      return opened;
    },
    async close() {
      await testApp.close();
      await Promise.all([yookassa.close(), tbank.close()]);
    },
  };
  return studio;
}
