import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { forgiveCutRequests } from './forgive-cut-requests.ts';
import { listen } from './listen.ts';

export const FAKE_SHOP = { shopId: '100500', secretKey: 'test_fake-secret-key', isTest: true };

/** What goes wrong with one call. */
export type Fault =
  /** The call has no effect. */
  | { kind: 'refuse'; status: number; code: string }
  | { kind: 'error' | 'html' | 'hang' | 'cut' }
  /** The call has its effect, but the answer is lost. */
  | { kind: 'lose_answer' };

interface Amount {
  value: string;
  currency: string;
}

export interface FakePayment {
  id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  paid: boolean;
  amount: Amount;
  test: boolean;
  metadata: Record<string, string>;
  [field: string]: unknown;
}

export interface FakeRefund {
  id: string;
  payment_id: string;
  status: 'pending' | 'succeeded' | 'canceled';
  amount: Amount;
  [field: string]: unknown;
}

export interface FakeNotification {
  type: 'notification';
  event: string;
  object: FakePayment | FakeRefund;
}

export type FakeYookassa = Awaited<ReturnType<typeof createFakeYookassa>>;

const amount = z.object({ value: z.string().regex(/^\d+\.\d{2}$/), currency: z.string() });
const receipt = z.object({
  customer: z.object({ email: z.email() }),
  tax_system_code: z.int().min(1).max(6).optional(),
  items: z
    .array(
      z.object({
        description: z.string().min(1).max(128),
        quantity: z.number().positive(),
        amount,
        vat_code: z.int().min(1).max(12),
        payment_mode: z.enum(['full_payment', 'full_prepayment']),
        payment_subject: z.string(),
        measure: z.string(),
      }),
    )
    .min(1),
});
const newPayment = z.object({
  amount,
  capture: z.boolean().default(false),
  confirmation: z.object({ type: z.literal('redirect'), return_url: z.url().max(2048) }),
  description: z.string().max(128).optional(),
  metadata: z.record(z.string().max(32), z.string().max(512)).default({}),
  receipt,
});
const newRefund = z.object({ payment_id: z.string(), amount, description: z.string().optional(), receipt });

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, description = code) {
    super(description);
    this.status = status;
    this.code = code;
  }
}

/** YooKassa's API v3 as documented, over HTTP, with its idempotency store, controlled by a test. */
export async function createFakeYookassa() {
  const payments = new Map<string, FakePayment>();
  const refunds = new Map<string, FakeRefund>();
  const remembered = new Map<string, { status: number; text: string; asked: string }>();
  const faults: Fault[] = [];
  const calls: { method: string; path: string; idempotenceKey: string | undefined; body: unknown }[] = [];
  const notifications: FakeNotification[] = [];
  let refundAnswer: FakeRefund['status'] = 'succeeded';

  const notify = (event: string, object: FakePayment | FakeRefund): FakeNotification => {
    const notification = { type: 'notification' as const, event, object: structuredClone(object) };
    notifications.push(notification);
    return notification;
  };

  function createPayment(body: unknown): FakePayment {
    const parsed = newPayment.safeParse(body);
    if (!parsed.success) throw new Refusal(400, 'invalid_request', parsed.error.message);
    const { confirmation, capture, receipt: _receipt, ...rest } = parsed.data;
    if (!capture) throw new Refusal(400, 'invalid_request', 'this fake knows payments with capture only');
    const id = randomUUID();
    const payment: FakePayment = {
      id,
      status: 'pending',
      paid: false,
      ...rest,
      confirmation: { ...confirmation, confirmation_url: `https://yoomoney.example/confirmation?orderId=${id}` },
      created_at: new Date().toISOString(),
      recipient: { account_id: FAKE_SHOP.shopId, gateway_id: '100700' },
      refundable: false,
      test: true,
    };
    payments.set(id, payment);
    return payment;
  }

  function createRefund(body: unknown): FakeRefund {
    const parsed = newRefund.safeParse(body);
    if (!parsed.success) throw new Refusal(400, 'invalid_request', parsed.error.message);
    const { payment_id, amount: asked } = parsed.data;
    const payment = payments.get(payment_id);
    const refunded = [...refunds.values()]
      .filter((one) => one.payment_id === payment_id && one.status !== 'canceled')
      .reduce((sum, one) => sum + Number(one.amount.value), 0);
    if (payment?.status !== 'succeeded' || refunded + Number(asked.value) > Number(payment.amount.value) + 1e-9) {
      throw new Refusal(400, 'invalid_request', 'Refund amount exceeds the payment amount');
    }
    const refund = addRefund(payment_id, asked, refundAnswer);
    if (refund.status === 'succeeded') notify('refund.succeeded', refund);
    return refund;
  }

  function addRefund(paymentId: string, value: Amount, status: FakeRefund['status']): FakeRefund {
    const refund: FakeRefund = {
      id: randomUUID(),
      payment_id: paymentId,
      status,
      amount: value,
      created_at: new Date().toISOString(),
      ...(status === 'canceled' ? { cancellation_details: { party: 'yoo_money', reason: 'insufficient_funds' } } : {}),
    };
    refunds.set(refund.id, refund);
    return refund;
  }

  function answer(request: IncomingMessage, path: string, body: unknown): { status: number; text: string } {
    const key = request.headers['idempotence-key'];
    const expected = `Basic ${Buffer.from(`${FAKE_SHOP.shopId}:${FAKE_SHOP.secretKey}`).toString('base64')}`;
    try {
      if (request.headers.authorization !== expected) throw new Refusal(401, 'invalid_credentials');
      if (request.method === 'POST') {
        if (typeof key !== 'string' || key.length > 64) throw new Refusal(400, 'invalid_request', 'Idempotence-Key');
        const before = remembered.get(key);
        if (before && before.asked !== JSON.stringify(body)) {
          throw new Refusal(400, 'invalid_request', 'Idempotence key duplicated');
        }
        if (before) return before;
        const made = path === '/payments' ? createPayment(body) : path === '/refunds' ? createRefund(body) : null;
        if (!made) throw new Refusal(404, 'not_found');
        return { status: 200, text: JSON.stringify(made) };
      }
      const list = URL.parse(path, 'http://fake');
      if (list?.pathname === '/refunds') {
        const ofPayment = list.searchParams.get('payment_id');
        const items = [...refunds.values()].filter((one) => one.payment_id === ofPayment).reverse();
        return { status: 200, text: JSON.stringify({ type: 'list', items }) };
      }
      const [, kind, id = ''] = path.split('/');
      const found = kind === 'payments' ? payments.get(id) : refunds.get(id);
      if (!found) throw new Refusal(404, 'not_found');
      return { status: 200, text: JSON.stringify(found) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const text = JSON.stringify({ type: 'error', id: randomUUID(), code: error.code, description: error.message });
      return { status: error.status, text };
    }
  }

  function remember(key: string, body: unknown, given: { status: number; text: string }): void {
    remembered.set(key, { ...given, asked: JSON.stringify(body) });
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').replace(/^\/v3/, '');
    const body = request.method === 'POST' ? await json(request) : undefined;
    const key = request.headers['idempotence-key'];
    const idempotenceKey = typeof key === 'string' ? key : undefined;
    calls.push({ method: request.method ?? '', path, idempotenceKey, body });
    const send = (status: number, text: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(text);
    const fault = faults.shift();
    switch (fault?.kind) {
      case 'hang':
        return;
      case 'cut':
        response.destroy();
        return;
      case 'error':
        send(500, JSON.stringify({ type: 'error', id: randomUUID(), code: 'internal_server_error' }));
        return;
      case 'html':
        send(200, '<html><body>Технические работы</body></html>', 'text/html');
        return;
      case 'refuse': {
        // A key whose call had its effect gets the same answer again, not a refusal.
        if (fault.status === 400 && idempotenceKey && remembered.has(idempotenceKey)) break;
        const text = JSON.stringify({ type: 'error', id: randomUUID(), code: fault.code });
        // A refused request is remembered by its key like any other. Refused credentials and rate limits are not.
        if (idempotenceKey && fault.status === 400) remember(idempotenceKey, body, { status: fault.status, text });
        send(fault.status, text);
        return;
      }
    }
    const { status, text } = answer(request, path, body);
    if (idempotenceKey && !remembered.has(idempotenceKey)) remember(idempotenceKey, body, { status, text });
    if (fault?.kind === 'lose_answer') response.destroy();
    else send(status, text);
  }

  const server = createServer((request, response) => void forgiveCutRequests(request, serve(request, response)));
  const { port, close } = await listen(server);

  const get = <T>(map: Map<string, T>, id: string): T => {
    const found = map.get(id);
    if (!found) throw new Error(`the fake has no ${id}`);
    return found;
  };
  return {
    /** The value for YOOKASSA_API_URL. */
    apiUrl: `http://127.0.0.1:${port}/v3`,
    payments,
    refunds,
    /** The accepted calls, oldest first. */
    calls,
    /** Undelivered notifications. A test delivers them in any order and any number of times. */
    notifications,
    /** Each of the next calls gets one of these faults. */
    failNext: (...next: Fault[]) => void faults.push(...next),
    /** Removes all faults. */
    recover() {
      faults.length = 0;
    },
    /** Sets the immediate status of new refunds. */
    answerRefunds(status: FakeRefund['status']) {
      refundAnswer = status;
    },
    /** The buyer pays. */
    pay(paymentId: string) {
      const payment = get(payments, paymentId);
      Object.assign(payment, { status: 'succeeded', paid: true, refundable: true, confirmation: undefined });
      payment.captured_at = new Date().toISOString();
      payment.payment_method = { type: 'bank_card', id: paymentId, saved: false, title: 'Bank card *4477' };
      return notify('payment.succeeded', payment);
    },
    cancel(paymentId: string, reason = 'general_decline') {
      const payment = get(payments, paymentId);
      Object.assign(payment, { status: 'canceled', paid: false, confirmation: undefined });
      payment.cancellation_details = { party: 'payment_network', reason };
      return notify('payment.canceled', payment);
    },
    /** Ends a pending refund. */
    endRefund(refundId: string, status: 'succeeded' | 'canceled') {
      const refund = get(refunds, refundId);
      refund.status = status;
      return status === 'succeeded' ? notify('refund.succeeded', refund) : null;
    },
    /** A refund made by hand in the merchant's account. */
    refundByHand(paymentId: string, value: string) {
      return notify('refund.succeeded', addRefund(paymentId, { value, currency: 'RUB' }, 'succeeded'));
    },
    close,
  };
}
