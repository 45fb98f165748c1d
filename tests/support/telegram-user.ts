import { expect, vi } from 'vitest';
import type { FakeMessage } from './fake-telegram-methods.ts';
import { TelegramChat } from './telegram-chat.ts';

const ANSWER_TIMEOUT = { timeout: 60_000, interval: 20 };

/** A person who waits for the bot's messages. */
export class TelegramUser extends TelegramChat {
  /** Waits for a message whose text matches now and returns the newest one. */
  waitFor(
    text: RegExp,
    { kind = 'text', after = 0 }: { kind?: FakeMessage['kind']; after?: number } = {},
  ): Promise<FakeMessage> {
    return vi.waitFor(() => {
      const found = this.messages()
        .filter((message) => message.kind === kind && message.messageId > after && text.test(message.text))
        .at(-1);
      expect(found, `${text} in:\n${this.transcript()}`).toBeDefined();
      return found as FakeMessage;
    }, ANSWER_TIMEOUT);
  }

  /** Says something and waits for a new message with this text. */
  ask(words: string, answer: RegExp): Promise<FakeMessage> {
    const after = this.lastMessageId;
    this.say(words);
    return this.waitFor(answer, { after });
  }

  /** Presses a button and waits for a message whose text matches then. It may be the one with the button. */
  choose(
    button: string | RegExp,
    answer: RegExp,
    message?: { kind?: FakeMessage['kind']; after?: number },
  ): Promise<FakeMessage> {
    this.press(button);
    return this.waitFor(answer, message);
  }

  waitForNotice(text: RegExp): Promise<void> {
    return vi.waitFor(() => expect(this.notices().join('\n')).toMatch(text), ANSWER_TIMEOUT);
  }

  /** Starts and accepts the terms. */
  async join(): Promise<void> {
    await this.ask('/start', /18 лет/);
    await this.choose('Мне есть 18, принимаю', /Это «Подиум»/);
  }

  /**
   * Pays the newest invoice as Telegram does: asks the bot first, then charges.
   * Resolves with whether the payment was allowed.
   */
  async pay(chargeId: string, { isUpdateLost = false } = {}): Promise<boolean> {
    const invoice = await this.waitFor(/./, { kind: 'invoice' });
    const { payload, currency, prices } = invoice.invoice ?? { payload: '', currency: '', prices: [] };
    const total_amount = prices[0]?.amount ?? 0;
    const queryId = `checkout-${chargeId}`;
    this.telegram.push({
      pre_checkout_query: { id: queryId, from: this.from, currency, total_amount, invoice_payload: payload },
    });
    const answer = await vi.waitFor(() => {
      const call = this.telegram.calls.find(
        (one) => one.method === 'answerPreCheckoutQuery' && one.payload.pre_checkout_query_id === queryId,
      );
      expect(call).toBeDefined();
      return call;
    }, ANSWER_TIMEOUT);
    if (answer?.payload.ok !== true) return false;
    this.charge(chargeId, { amount: total_amount, isUpdateLost });
    return true;
  }

  /** The payload of the newest invoice. */
  get invoiceId(): string {
    return this.messages().findLast(({ kind }) => kind === 'invoice')?.invoice?.payload ?? '';
  }

  /** Pays without asking before. Telegram's list has the payment, too. */
  charge(chargeId: string, { invoice = this.invoiceId, amount = 250, isUpdateLost = false } = {}): void {
    this.telegram.starTransactions.push({
      id: chargeId,
      amount,
      date: Math.floor(Date.now() / 1000),
      source: { type: 'user', transaction_type: 'invoice_payment', user: this.from, invoice_payload: invoice },
    });
    if (!isUpdateLost) this.reportPayment(chargeId, { invoice, amount });
  }

  /** The update about a payment. */
  reportPayment(chargeId: string, { invoice = this.invoiceId, amount = 250 } = {}): void {
    const ids = { telegram_payment_charge_id: chargeId, provider_payment_charge_id: '' };
    this.send({ successful_payment: { currency: 'XTR', total_amount: amount, invoice_payload: invoice, ...ids } });
  }

  /** The update about a payment that Telegram has returned. */
  reportRefund(chargeId: string): void {
    const facts = { currency: 'XTR', total_amount: 250, invoice_payload: this.invoiceId };
    this.send({ refunded_payment: { ...facts, telegram_payment_charge_id: chargeId } });
  }
}
