import { runPackagesCommand } from '#api/commands/packages.ts';
import type { useBotHarness } from './bot-harness.ts';
import type { TelegramPerson } from './telegram-person.ts';

type BotHarness = ReturnType<typeof useBotHarness>;

/** Sets a package's price to 250 Telegram Stars and creates a person with an unpaid invoice for its ten stars. */
export async function bringBuyer(harness: BotHarness): Promise<TelegramPerson> {
  await runPackagesCommand(harness.testApp.app, ['edit', '1', '--xtr=250']);
  const person = await harness.newMember();
  await orderStars(person);
  return person;
}

export async function orderStars(person: TelegramPerson): Promise<void> {
  person.say('/balance');
  await person.waitFor(/Пополнить можно прямо здесь/);
  person.press('10 звёзд за 250 ⭐️');
  await person.waitFor(/Пакет «Примерка»: 10 звёзд сервиса/, { kind: 'invoice' });
}

/** The payload of the newest invoice of a person. */
export function invoiceOf(person: TelegramPerson): string {
  return person.messages().findLast(({ kind }) => kind === 'invoice')?.invoice?.payload ?? '';
}

/** Reports a payment as Telegram does, but without asking before. Telegram's list has it too. */
export function charge(
  { telegram }: BotHarness,
  person: TelegramPerson,
  chargeId: string,
  { invoice = invoiceOf(person), amount = 250, isUpdateLost = false } = {},
): void {
  telegram.starTransactions.push({
    id: chargeId,
    amount,
    date: Math.floor(Date.now() / 1000),
    source: { type: 'user', transaction_type: 'invoice_payment', user: person.from, invoice_payload: invoice },
  });
  if (isUpdateLost) return;
  person.send({
    successful_payment: {
      currency: 'XTR',
      total_amount: amount,
      invoice_payload: invoice,
      telegram_payment_charge_id: chargeId,
      provider_payment_charge_id: '',
    },
  });
}

/** Makes all payments older. By default old enough that none of their updates is still expected. */
export function agePayments({ telegram }: BotHarness, seconds = 120): void {
  for (const transaction of telegram.starTransactions) transaction.date = Number(transaction.date) - seconds;
}
