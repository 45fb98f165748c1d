import { PAGE_PROVIDERS, type PageProvider } from '#shared/rules/payment-providers.ts';
import type { PaymentHarness } from './payment-harness.ts';

type Ending = 'succeeded' | 'canceled';

/** A payment as its provider has it, whichever that is; money in kopecks. */
export interface BankPayment {
  id: string;
  status: 'pending' | Ending;
  amount: number;
  refunded: number;
  /** What a refund by hand may give back now. */
  refundable: number;
}

/** A fake provider, of which a random history is played: what all of them can do, in the same words. */
export interface Bank {
  name: PageProvider;
  /** One call, however often repeated, opens one payment. */
  isIdempotent: boolean;
  /** `only` names those that are looked for. */
  listPayments(only?: ReadonlySet<string>): BankPayment[];
  listPendingRefunds(): string[];
  /** In the form that `notify` takes: with the headers, if they carry a signature. */
  notifications(): unknown[];
  /** Resolves with the status of our answer. */
  notify(notification: unknown): Promise<number>;
  pay(id: string): void;
  cancel(id: string): void;
  refundByHand(id: string, kopecks: number): void;
  answerRefunds(status: 'pending' | Ending): void;
  endRefund(id: string, status: Ending): void;
  fail(kind: 'error' | 'cut' | 'lose_answer' | 'refuse'): void;
  recover(): void;
  forgetEverything(): void;
}

const BANKS: Record<PageProvider, (harness: PaymentHarness) => Bank> = { yookassa: openYookassa, tbank: openTbank };

/** The providers of a harness that takes money through all of them. */
export function openBanks(harness: PaymentHarness): Bank[] {
  return PAGE_PROVIDERS.map((name) => BANKS[name](harness));
}

function openYookassa({ yookassa, notify }: PaymentHarness): Bank {
  const toKopecks = ({ amount }: { amount: { value: string } }) => Math.round(Number(amount.value) * 100);
  const sum = (id: string, ...statuses: string[]) =>
    [...yookassa.refunds.values()]
      .filter((one) => one.payment_id === id && statuses.includes(one.status))
      .reduce((total, one) => total + toKopecks(one), 0);
  return {
    name: 'yookassa',
    isIdempotent: true,
    listPayments: () =>
      [...yookassa.payments.values()].map(({ id, status, amount: value }) => {
        const amount = toKopecks({ amount: value });
        const refundable = amount - sum(id, 'pending', 'succeeded');
        return { id, status, amount, refunded: sum(id, 'succeeded'), refundable };
      }),
    listPendingRefunds: () =>
      [...yookassa.refunds.values()].filter(({ status }) => status === 'pending').map(({ id }) => id),
    notifications: () => yookassa.notifications,
    notify: (notification) => notify(notification),
    pay: (id) => void yookassa.pay(id),
    cancel: (id) => void yookassa.cancel(id),
    refundByHand: (id, kopecks) => void yookassa.refundByHand(id, (kopecks / 100).toFixed(2)),
    answerRefunds: yookassa.answerRefunds,
    endRefund: (id, status) => void yookassa.endRefund(id, status),
    fail: (kind) => yookassa.failNext(kind === 'refuse' ? { kind, status: 400, code: 'invalid_request' } : { kind }),
    recover: yookassa.recover,
    forgetEverything() {
      yookassa.payments.clear();
      yookassa.refunds.clear();
      yookassa.notifications.length = 0;
      yookassa.recover();
      yookassa.answerRefunds('succeeded');
    },
  };
}

function openTbank({ tbank, notify }: PaymentHarness): Bank {
  const statuses: Record<string, BankPayment['status']> = {
    CONFIRMED: 'succeeded',
    ASYNC_REFUNDING: 'succeeded',
    PARTIAL_REFUNDED: 'succeeded',
    REFUNDED: 'succeeded',
    CANCELED: 'canceled',
    DEADLINE_EXPIRED: 'canceled',
  };
  return {
    name: 'tbank',
    isIdempotent: false,
    listPayments: (only) =>
      [...tbank.payments.values()]
        .filter(({ PaymentId }) => only?.has(PaymentId) ?? true)
        .map(({ PaymentId, Status, Amount, left, going }) => ({
          id: PaymentId,
          status: statuses[Status] ?? 'pending',
          amount: Amount,
          refunded: Amount - left,
          // Nothing more is given back while something is on its way.
          refundable: going > 0 ? 0 : left,
        })),
    listPendingRefunds: () =>
      [...tbank.payments.values()].filter(({ going }) => going > 0).map(({ PaymentId }) => PaymentId),
    notifications: () => tbank.notifications,
    notify: (notification) => notify(notification, { provider: 'tbank' }),
    pay: (id) => void tbank.pay(id),
    cancel: (id) => void tbank.expire(id),
    refundByHand: (id, kopecks) => void tbank.refundByHand(id, kopecks),
    answerRefunds: tbank.answerRefunds,
    endRefund: (id, status) => void tbank.endRefund(id, status),
    fail: (kind) => tbank.failNext(kind === 'refuse' ? { kind, code: '1051' } : { kind }),
    recover: tbank.recover,
    forgetEverything() {
      tbank.payments.clear();
      tbank.notifications.length = 0;
      tbank.recover();
      tbank.answerRefunds('succeeded');
    },
  };
}
