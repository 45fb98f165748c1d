import { expect, vi } from 'vitest';
import type { FakeMessage } from './fake-telegram-methods.ts';
import { TelegramChat } from './telegram-chat.ts';

const ANSWER_TIMEOUT = { timeout: 90_000, interval: 20 };

/** A person who waits for the bot's messages. */
export class TelegramPerson extends TelegramChat {
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

  waitForNotice(text: RegExp): Promise<void> {
    return vi.waitFor(() => expect(this.notices().join('\n')).toMatch(text), ANSWER_TIMEOUT);
  }

  /** Starts and accepts the terms. */
  async join(): Promise<void> {
    this.say('/start');
    await this.waitFor(/18 лет/);
    this.press('Мне есть 18, принимаю');
    await this.waitFor(/Это «Подиум»/);
  }

  /**
   * Pays the newest invoice as Telegram does: asks the bot first, then reports the payment, unless that update is lost.
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
    this.telegram.starTransactions.push({
      id: chargeId,
      amount: total_amount,
      date: Math.floor(Date.now() / 1000),
      source: { type: 'user', transaction_type: 'invoice_payment', user: this.from, invoice_payload: payload },
    });
    if (isUpdateLost) return true;
    this.send({
      successful_payment: {
        currency,
        total_amount,
        invoice_payload: payload,
        telegram_payment_charge_id: chargeId,
        provider_payment_charge_id: '',
      },
    });
    return true;
  }
}
