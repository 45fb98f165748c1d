import { randomUUID } from 'node:crypto';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { createAppContext } from '#api/app-context.ts';
import { readConfig } from '#api/config/config.ts';
import { createServer } from '#api/server.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createInvoice } from '#api/services/payments/invoices.ts';
import { settlePayments } from '#api/services/payments/settle-payments.ts';
import { createLogger } from '#api/telemetry/log.ts';
import { PAGE_PROVIDERS, type PageProvider } from '#shared/rules/payment-providers.ts';
import { createFakeEngine } from './fake-engine.ts';
import { createFakeTbank, FAKE_TERMINAL, type FakeTbank } from './fake-tbank.ts';
import { createFakeYookassa, FAKE_SHOP, type FakeYookassa } from './fake-yookassa.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** From where a notification comes, and what its sender puts into headers, such as a signature. */
interface Delivery {
  ip?: string;
  headers?: Record<string, string>;
}

/** A server that takes money through fakes of the providers that PAYMENTS names, usually YooKassa alone. */
export interface PaymentHarness extends TestApp {
  yookassa: FakeYookassa;
  tbank: FakeTbank;
  /** Lines of the log so far, parsed. */
  logLines: Record<string, unknown>[];
  /** Delivers a notification, of YooKassa unless told otherwise; resolves with the status it was answered with. */
  notify(body: unknown, options?: { provider?: string } & Delivery): Promise<number>;
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

/** The settings with which the product uses the fakes. */
const FAKE_ENV: Record<PageProvider, (fakes: Pick<PaymentHarness, PageProvider>) => Record<string, string>> = {
  yookassa: ({ yookassa: { apiUrl } }) => ({
    YOOKASSA_SHOP_ID: FAKE_SHOP.shopId,
    YOOKASSA_SECRET_KEY: FAKE_SHOP.secretKey,
    YOOKASSA_API_URL: apiUrl,
    YOOKASSA_WEBHOOK_ADDRESSES: '',
  }),
  tbank: ({ tbank: { apiUrl } }) => ({
    TBANK_TERMINAL_KEY: FAKE_TERMINAL.terminalKey,
    TBANK_PASSWORD: FAKE_TERMINAL.password,
    TBANK_API_URL: apiUrl,
    RECEIPT_TAX_SYSTEM: '2',
  }),
};

/** Keys of some fakes, and what their receipts need. */
export function fakeProviderEnv(fakes: Pick<PaymentHarness, PageProvider>, names: PageProvider[]) {
  return Object.assign({}, ...names.map((name) => FAKE_ENV[name](fakes))) as Record<string, string>;
}

export async function createPaymentHarness(env: Record<string, string> = {}): Promise<PaymentHarness> {
  const [yookassa, tbank] = await Promise.all([createFakeYookassa(), createFakeTbank()]);
  const logLines: Record<string, unknown>[] = [];
  const { PAYMENTS = 'yookassa' } = env;
  const named = PAGE_PROVIDERS.filter((name) => PAYMENTS.split(',').includes(name));
  const testApp = await createTestApp({
    env: { PAYMENTS, ...fakeProviderEnv({ yookassa, tbank }, named), ...env },
    onLogLine: (line) => void logLines.push(JSON.parse(line)),
  });
  const { app, server } = testApp;

  const harness: PaymentHarness = {
    ...testApp,
    yookassa,
    tbank,
    logLines,
    async notify(body, { provider = 'yookassa', ...delivery } = {}) {
      return (await deliver(server, provider, body, delivery)).statusCode;
    },
    async openInvoice(accountId, packageId = SMALLEST_PACKAGE.id, provider) {
      const request = { accountId, packageId, idempotencyKey: randomUUID(), provider };
      const { invoiceId } = await createInvoice(app, request);
      const { providerPaymentId } = await app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } });
      return { invoiceId, providerPaymentId: providerPaymentId ?? '' };
    },
    async buy(accountId, packageId) {
      const opened = await harness.openInvoice(accountId, packageId);
      const status = await harness.notify(yookassa.pay(opened.providerPaymentId));
      if (status !== 200) throw new Error(`the notification was answered with ${status}`);
      return opened;
    },
    async close() {
      await testApp.close();
      await Promise.all([yookassa.close(), tbank.close()]);
    },
  };
  return harness;
}

/** Lets time pass, and settles all payments and refunds that wait. */
export async function sweepEverything({ app, database }: PaymentHarness, by = app, age = '2 minutes'): Promise<void> {
  await database.pool.query(`UPDATE payments SET created_at = now() - interval '2 minutes', checked_at = NULL`);
  await database.pool.query(`UPDATE refunds SET created_at = now() - interval '${age}'`);
  await settlePayments(by, new AbortController().signal);
}

/** The same database with other settings, as after a restart. */
export async function restartWith({ database }: PaymentHarness, env: Record<string, string>): Promise<Restarted> {
  const lines: Restarted['lines'] = [];
  const config = readConfig({
    NODE_ENV: 'test',
    DATA_DIR: database.dataDir,
    LOG_LEVEL: 'debug',
    DATABASE_URL: database.databaseUrl,
    ...env,
  });
  const log = createLogger(config, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const shared = { ...database, close: async () => undefined };
  const app = await createAppContext(config, log, { database: shared, engine: createFakeEngine() });
  const server = await createServer(app);
  return {
    app,
    lines,
    notify: (provider, body, delivery) => deliver(server, provider, body, delivery),
    async close() {
      await server.close();
      await app.close();
    },
  };
}

interface Restarted {
  app: AppContext;
  lines: Record<string, unknown>[];
  notify(provider: string, body: unknown, delivery?: Delivery): Promise<LightMyRequestResponse>;
  close(): Promise<void>;
}

async function deliver(
  server: FastifyInstance,
  provider: string,
  body: unknown,
  { ip = '185.71.76.1', headers = {} }: Delivery = {},
): Promise<LightMyRequestResponse> {
  return server.inject({
    method: 'POST',
    url: `/api/payments/webhook/${provider}`,
    remoteAddress: ip,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
