import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { forgiveCutRequests } from './forgive-cut-requests.ts';
import { listen } from './listen.ts';

export const FAKE_TERMINAL = { terminalKey: '1700000000000DEMO', password: 'fake-tbank-password', isTest: true };

/** What goes wrong with one call. */
export type TbankFault = {
  /** The fault affects the next call of this method. Without a method, the next call of any. */
  method?: string;
} & (
  | /** Nothing was done. Refusals come with status 200. */ { kind: 'refuse'; code: string; message?: string }
  | { kind: 'error' | 'html' | 'hang' | 'cut' }
  /** The call has its effect, but the answer is lost. */
  | { kind: 'lose_answer' }
);

export interface FakeTbankPayment {
  PaymentId: string;
  OrderId: string;
  Status: string;
  /** The amount paid. */
  Amount: number;
  /** The amount left after refunds. */
  left: number;
  /** The amount of the refund in progress. */
  going: number;
  RedirectDueDate: string | undefined;
  /** ExternalRequestId of each Cancel. */
  requests: Set<string>;
}

export type FakeTbank = Awaited<ReturnType<typeof createFakeTbank>>;

const receipt = z.strictObject({
  FfdVersion: z.literal('1.2'),
  Email: z.email(),
  Taxation: z.enum(['osn', 'usn_income', 'usn_income_outcome', 'esn', 'patent']),
  Items: z
    .array(
      z.strictObject({
        Name: z.string().min(1).max(128),
        Price: z.int().positive(),
        Quantity: z.number().positive(),
        Amount: z.int().positive(),
        Tax: z.enum(['none', 'vat0', 'vat5', 'vat7', 'vat10', 'vat20', 'vat22', 'vat110', 'vat120', 'vat122']),
        PaymentMethod: z.enum(['full_prepayment', 'prepayment', 'advance', 'full_payment']),
        PaymentObject: z.string(),
        MeasurementUnit: z.string(),
      }),
    )
    .min(1),
});
const common = { TerminalKey: z.string().max(20), Token: z.string().length(64) };
const init = z.strictObject({
  ...common,
  Amount: z.int().positive(),
  OrderId: z.string().min(1).max(36),
  Description: z.string().max(140),
  PayType: z.literal('O'),
  Language: z.enum(['ru', 'en']),
  NotificationURL: z.url({ protocol: /^https$/ }).optional(),
  SuccessURL: z.url(),
  FailURL: z.url(),
  RedirectDueDate: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d$/),
  Receipt: receipt,
});
const getState = z.strictObject({ ...common, PaymentId: z.string().max(20) });
const cancel = z.strictObject({
  ...common,
  PaymentId: z.string().max(20),
  Amount: z.int().min(100).optional(),
  ExternalRequestId: z.string().max(256).optional(),
  Receipt: receipt.optional(),
});

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The signature as documented: a hash of all scalar values and the password, joined in the order of their names. */
function sign(message: object): string {
  const pairs = new Map<string, string>([['Password', FAKE_TERMINAL.password]]);
  for (const [name, value] of Object.entries(message)) {
    const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
    if (isScalar && name !== 'Token') pairs.set(name, `${value}`);
  }
  const row = [...pairs.keys()].sort().map((name) => pairs.get(name));
  return createHash('sha256').update(row.join(''), 'utf8').digest('hex');
}

/**
 * T-Bank's acquiring API v2 as documented, over HTTP, controlled by a test. It shares no code with the adapter. `tls`: a
 * key and a certificate in PEM; the fake then speaks https.
 */
export async function createFakeTbank(tls?: { key: string; cert: string }) {
  const payments = new Map<string, FakeTbankPayment>();
  const calls: { method: string; body: Record<string, unknown> }[] = [];
  const notifications: string[] = [];
  const faults: TbankFault[] = [];
  let refundAnswer: 'succeeded' | 'pending' | 'canceled' = 'succeeded';
  let refusesRepeatedOrders = true;
  // Each fake starts at another id, because a bank's ids never repeat.
  let lastId = 4_000_000_000 + Math.floor(Math.random() * 1_000_000_000);

  const get = (id: string): FakeTbankPayment => {
    const found = payments.get(id);
    if (!found) throw new Error(`the fake has no ${id}`);
    return found;
  };

  function tell(id: string, extra: Record<string, unknown> = {}): string {
    const { OrderId, Status, left } = get(id);
    const message = {
      TerminalKey: FAKE_TERMINAL.terminalKey,
      OrderId,
      Success: true,
      Status,
      PaymentId: Number(id),
      ErrorCode: '0',
      Amount: left,
      CardId: 10_452_089,
      Pan: '430000******0777',
      ExpDate: '1230',
      ...extra,
    };
    return JSON.stringify({ ...message, Token: sign(message) });
  }

  function notify(id: string): string {
    const notification = tell(id);
    notifications.push(notification);
    return notification;
  }

  function parse<T extends z.ZodType>(schema: T, body: Record<string, unknown>): z.output<T> {
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new Refusal('9', `Неверные параметры: ${parsed.error.message}`);
    return parsed.data;
  }

  function checkReceipt(given: z.output<typeof receipt>, amount: number): void {
    if (given.Items.some(({ Price, Quantity, Amount }) => Price * Quantity !== Amount)) {
      throw new Refusal('308', 'Неверная сумма позиции чека');
    }
    const sum = given.Items.reduce((total, { Amount }) => total + Amount, 0);
    if (sum !== amount) throw new Refusal('309', 'Сумма позиций чека не равна сумме операции');
  }

  function open(body: Record<string, unknown>): object {
    const { OrderId, Amount, RedirectDueDate, Receipt } = parse(init, body);
    checkReceipt(Receipt, Amount);
    if (refusesRepeatedOrders && [...payments.values()].some((one) => one.OrderId === OrderId)) {
      throw new Refusal('8', 'Неверный статус транзакции');
    }
    const PaymentId = String(++lastId);
    const rest = { left: Amount, going: 0, RedirectDueDate, requests: new Set<string>() };
    payments.set(PaymentId, { PaymentId, OrderId, Status: 'NEW', Amount, ...rest });
    return { Status: 'NEW', PaymentId, OrderId, Amount, PaymentURL: `https://pay.tbank.example/new/${PaymentId}` };
  }

  function readState(body: Record<string, unknown>): object {
    const payment = payments.get(parse(getState, body).PaymentId);
    if (!payment) throw new Refusal('255', 'Платёж не найден');
    const { PaymentId, OrderId, Status, left } = payment;
    return { Status, PaymentId, OrderId, Amount: left };
  }

  function giveBack(body: Record<string, unknown>): object {
    const asked = parse(cancel, body);
    const payment = payments.get(asked.PaymentId);
    if (!payment) throw new Refusal('255', 'Платёж не найден');
    const OriginalAmount = payment.left;
    const isRepeat = asked.ExternalRequestId !== undefined && payment.requests.has(asked.ExternalRequestId);
    if (!isRepeat) cancelOnce(payment, asked);
    const { PaymentId, OrderId, Status, left, going } = payment;
    return { Status, PaymentId, OrderId, OriginalAmount, NewAmount: left - going };
  }

  function cancelOnce(payment: FakeTbankPayment, asked: z.output<typeof cancel>): void {
    const { Status, left } = payment;
    if (['NEW', 'FORM_SHOWED', 'REJECTED'].includes(Status)) {
      payment.Status = 'CANCELED';
      notify(payment.PaymentId);
      return;
    }
    if (!['CONFIRMED', 'PARTIAL_REFUNDED'].includes(Status)) throw new Refusal('8', 'Неверный статус транзакции');
    const amount = asked.Amount ?? left;
    if (amount > left) throw new Refusal('9', 'Сумма возврата больше суммы платежа');
    const isPartial = amount < payment.Amount;
    if (isPartial && !asked.Receipt) throw new Refusal('308', 'Для частичного возврата нужен чек');
    if (asked.Receipt) checkReceipt(asked.Receipt, amount);
    if (refundAnswer === 'canceled') throw new Refusal('1051', 'Недостаточно средств для возврата');
    if (asked.ExternalRequestId) payment.requests.add(asked.ExternalRequestId);
    if (refundAnswer === 'pending') Object.assign(payment, { Status: 'ASYNC_REFUNDING', going: amount });
    else takeOff(payment, amount);
  }

  function takeOff(payment: FakeTbankPayment, amount: number): string {
    payment.left -= amount;
    payment.Status = payment.left === 0 ? 'REFUNDED' : 'PARTIAL_REFUNDED';
    return notify(payment.PaymentId);
  }

  function answer(method: string, body: Record<string, unknown>): object {
    const { terminalKey } = FAKE_TERMINAL;
    try {
      if (body.TerminalKey !== terminalKey) throw new Refusal('205', 'Терминал не найден');
      if (body.Token !== sign(body)) throw new Refusal('204', 'Неверный токен. Проверьте пару TerminalKey/SecretKey.');
      const act = new Map(Object.entries({ Init: open, GetState: readState, Cancel: giveBack })).get(method);
      if (!act) throw new Refusal('404', 'Метод не найден');
      return { Success: true, ErrorCode: '0', TerminalKey: terminalKey, ...act(body) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return refuse(error.code, error.message);
    }
  }

  function refuse(code: string, message: string): object {
    return { Success: false, ErrorCode: code, Message: message, Details: '' };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? '').replace(/^\/v2\//, '');
    const body = JSON.parse(await text(request)) as Record<string, unknown>;
    calls.push({ method, body });
    const send = (status: number, content: string, type = 'application/json') =>
      response.writeHead(status, { 'content-type': type }).end(content);
    const at = faults.findIndex((one) => one.method === undefined || one.method === method);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    switch (fault?.kind) {
      case 'hang':
        return;
      case 'cut':
        response.destroy();
        return;
      case 'error':
        send(502, 'Bad Gateway', 'text/plain');
        return;
      case 'html':
        send(200, '<html><body>Технические работы</body></html>', 'text/html');
        return;
      case 'refuse':
        send(200, JSON.stringify(refuse(fault.code, fault.message ?? 'Отказ')));
        return;
    }
    const answered = JSON.stringify(answer(method, body));
    if (fault?.kind === 'lose_answer') response.destroy();
    else send(200, answered);
  }

  const listener = (request: IncomingMessage, response: ServerResponse) =>
    void forgiveCutRequests(request, serve(request, response));
  const { port, close } = await listen(tls ? createTlsServer(tls, listener) : createServer(listener));

  return {
    /** The value for TBANK_API_URL. */
    apiUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/v2`,
    payments,
    /** The accepted calls, oldest first. */
    calls,
    /** Bodies of undelivered notifications. A test delivers them in any order and any number of times. */
    notifications,
    /** A signed message about a payment as it is now; `extra` takes part in the signature. */
    tell,
    /** Each of the next calls gets one of these faults. */
    failNext: (...next: TbankFault[]) => void faults.push(...next),
    /** Removes all faults. */
    recover() {
      faults.length = 0;
    },
    /** Whether the bank refuses an order id that it has seen. It does by default. */
    refuseRepeatedOrders(refuse: boolean) {
      refusesRepeatedOrders = refuse;
    },
    /** Sets the immediate status of new refunds. */
    answerRefunds(status: typeof refundAnswer) {
      refundAnswer = status;
    },
    /** The buyer pays. Notifies of AUTHORIZED, then of CONFIRMED, and returns the second notification. */
    pay(id: string) {
      for (const Status of ['AUTHORIZED', 'CONFIRMED']) {
        get(id).Status = Status;
        notify(id);
      }
      return notifications.at(-1) ?? '';
    },
    /** A card is refused. The payment page still accepts others. */
    reject(id: string) {
      get(id).Status = 'REJECTED';
      return notify(id);
    },
    /** The time to pay has run out. */
    expire(id: string) {
      get(id).Status = 'DEADLINE_EXPIRED';
      return notify(id);
    },
    /** Ends the refund in progress. */
    endRefund(id: string, status: 'succeeded' | 'canceled') {
      const payment = get(id);
      const { going } = payment;
      payment.going = 0;
      if (status === 'succeeded') return takeOff(payment, going);
      payment.Status = payment.left === payment.Amount ? 'CONFIRMED' : 'PARTIAL_REFUNDED';
      return null;
    },
    /** A refund made by hand in the dashboard, in kopecks. */
    refundByHand: (id: string, amount: number) => takeOff(get(id), amount),
    close,
  };
}
