import { randomUUID } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handleReceiptJobs, handleSandboxNotifications } from '#api/jobs/start-jobs.ts';
import { createAccount } from '#tests/support/factories.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { finishJobs } from '#tests/support/finish-jobs.ts';
import { createPaymentHarness } from '#tests/support/payment-harness.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { until } from '#tests/support/until.ts';
import { readMails, registerVerified, type TestUser } from '#tests/support/users.ts';

let testApp: TestApp;
let buyer: TestUser;
let origin: string;
async function openShop(): Promise<void> {
  const port = await findFreePort();
  origin = `http://localhost:${port}`;
  testApp = await createTestApp({ env: { PORT: String(port), PUBLIC_URL: origin } });
  await testApp.server.listen({ port, host: '127.0.0.1' });
  await handleReceiptJobs(testApp.app);
  buyer = await registerVerified(testApp);
}

async function openInvoice(packageId = 2): Promise<{ paymentUrl: string; invoiceId: string }> {
  const answer = await testApp.server.inject({
    method: 'POST',
    url: '/api/payments/create-invoice',
    headers: { cookie: buyer.cookie },
    payload: { packageId },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Presses a button of the page like a browser, without a session and without script. */
const press = (paymentUrl: string, action: string, from = origin) =>
  testApp.server.inject({
    method: 'POST',
    url: `${new URL(paymentUrl).pathname}/${action}`,
    headers: { origin: from, 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });

const open = (paymentUrl: string) => testApp.server.inject({ url: new URL(paymentUrl).pathname });

/** Reads the database. Looking the invoice up would ask the sandbox instead of waiting for its notification. */
async function readStatus(invoiceId: string): Promise<string> {
  return (await testApp.app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } })).status;
}

/** Waits for the sandbox's notification. */
function waitUntilDecided(invoiceId: string): Promise<string> {
  return until(async () => {
    const status = await readStatus(invoiceId);
    expect(status).not.toBe('pending');
    return status;
  });
}

function expectWayBack({ statusCode, headers }: LightMyRequestResponse, invoiceId: string): void {
  expect([statusCode, headers.location]).toEqual([303, `${origin}/payment/success?invoice=${invoiceId}`]);
}

const readBalance = async () =>
  (await testApp.server.inject({ url: '/api/stars/balance', headers: { cookie: buyer.cookie } })).json().balance;

describe('the payment page', () => {
  beforeAll(openShop);
  afterAll(() => testApp.close());

  it('says that it is a test, what is paid for, and offers the three ways out', async () => {
    const { paymentUrl } = await openInvoice();
    const page = await open(paymentUrl);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.body).toContain('Тестовая оплата: деньги не списываются');
    expect(page.body).toContain('Пакет «Коллекция»: 20 звёзд');
    expect(page.body.replace(/\s/g, ' ')).toContain('900 ₽');
    const buttons = [...page.body.matchAll(/<form method="post" action="([^"]+)"><button[^>]*>([^<]+)</g)];
    const path = new URL(paymentUrl).pathname;
    expect(buttons.map(([, action, text]) => [action, text])).toEqual([
      [`${path}/pay`, 'Оплатить'],
      [`${path}/decline`, 'Отклонить'],
      [`${path}/leave`, 'Вернуться без оплаты'],
    ]);
  });

  it('needs nothing that the security policy forbids, and has its styles and fonts', async () => {
    const { body, headers } = await open((await openInvoice()).paymentUrl);
    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect(body).not.toMatch(/<style|style=|<script(?![^>]*src=)|onclick/);
    const styles = await testApp.server.inject({ url: '/sandbox/pay.css' });
    expect(styles.statusCode).toBe(200);
    expect(styles.body).not.toContain('@theme {');
    expect(styles.body).toContain('--color-canvas:');
    const fonts = [...styles.body.matchAll(/url\(\.\/([^)]+)\)/g)].map(([, file]) => `/sandbox/${file}`);
    expect(fonts.length).toBeGreaterThan(0);
    for (const url of fonts) expect((await testApp.server.inject({ url })).headers['content-type']).toBe('font/woff2');
    for (const file of ['nothing.woff2', 'OFL-golos-text.txt', '..%2Ftokens.css']) {
      expect((await testApp.server.inject({ url: `/sandbox/assets/fonts/${file}` })).statusCode).toBeGreaterThanOrEqual(
        400,
      );
    }
  });

  it('cannot be opened without its id', async () => {
    for (const id of [randomUUID(), '1', "'"]) {
      const page = await testApp.server.inject({ url: `/sandbox/pay/${id}` });
      expect([page.statusCode, page.body.includes('Оплатить')]).toEqual([404, false]);
      expect((await press(`${origin}/sandbox/pay/${id}`, 'pay')).statusCode).toBe(404);
    }
  });

  it('refuses buttons that are pressed by other sites’ pages', async () => {
    const { paymentUrl, invoiceId } = await openInvoice();
    expect((await press(paymentUrl, 'pay', 'https://elsewhere.example')).statusCode).toBe(403);
    const payment = await testApp.app.db.sandboxPayment.findFirstOrThrow({ where: { orderId: invoiceId } });
    expect(payment.status).toBe('pending');
  });
});

describe('a purchase', () => {
  // Each test has its own shop, because it decides whether notifications are delivered.
  beforeEach(openShop);
  afterEach(() => testApp.close());

  it('left unpaid stays pending', async () => {
    const { paymentUrl, invoiceId } = await openInvoice();
    const answer = await press(paymentUrl, 'leave');
    expectWayBack(answer, invoiceId);
    expect(await readStatus(invoiceId)).toBe('pending');
  });

  it('paid while nobody delivers notifications is credited as soon as somebody does, and mailed once', async () => {
    const { paymentUrl, invoiceId } = await openInvoice();
    const answer = await press(paymentUrl, 'pay');
    expectWayBack(answer, invoiceId);
    expect(await readStatus(invoiceId)).toBe('pending');
    const before = await readBalance();
    await handleSandboxNotifications(testApp.app);
    expect(await waitUntilDecided(invoiceId)).toBe('succeeded');
    expect(await readBalance()).toBe(before + 20);
    expect((await open(paymentUrl)).body).toContain('Этот счёт уже оплачен');
    await press(paymentUrl, 'pay');
    await press(paymentUrl, 'decline');
    await finishJobs(testApp.database.pool, ['send-sandbox-notification', 'send-receipt']);
    const receipts = (await readMails(testApp, buyer.email)).filter(({ subject }) => subject?.includes('Звёзды'));
    expect(receipts).toHaveLength(1);
    const text = receipts[0]?.text?.replace(/\s/g, ' ');
    for (const words of ['Пакет: Коллекция', 'Звёзды: 20 звёзд', 'Сумма: 900 ₽', invoiceId, 'тестовая оплата']) {
      expect(text).toContain(words);
    }
    expect(await readBalance()).toBe(before + 20);
  });

  it('declined is canceled and costs nothing', async () => {
    await handleSandboxNotifications(testApp.app);
    const before = await readBalance();
    const { paymentUrl, invoiceId } = await openInvoice();
    const answer = await press(paymentUrl, 'decline');
    expectWayBack(answer, invoiceId);
    expect(await waitUntilDecided(invoiceId)).toBe('canceled');
    expect(await readBalance()).toBe(before);
    expect((await open(paymentUrl)).body).toContain('Этот счёт отклонён или устарел');
    // The panel shows «Отклонён банком» and not a cancellation by the buyer.
    const { cancellationReason } = await testApp.app.db.payment.findUniqueOrThrow({ where: { id: invoiceId } });
    expect(cancellationReason).toBe('general_decline');
  });
});

it('a real provider leaves no payment page of ours', async () => {
  const harness = await createPaymentHarness();
  try {
    const { invoiceId } = await harness.openInvoice((await createAccount(harness.app)).id);
    for (const url of [`/sandbox/pay/${invoiceId}`, '/sandbox/pay.css']) {
      const answer = await harness.server.inject({ url });
      expect(answer.body).not.toContain('Оплатить');
      expect([404, 503]).toContain(answer.statusCode);
    }
    expect(harness.app.sandbox).toBeNull();
  } finally {
    await harness.close();
  }
});
