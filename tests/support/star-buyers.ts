import { runPackagesCommand } from '#api/commands/packages.ts';
import type { useBotStudio } from './bot-studio.ts';
import type { TelegramPerson } from './telegram-person.ts';

type BotStudio = ReturnType<typeof useBotStudio>;

/** Somebody who has an unpaid invoice of ten stars for 250 Telegram Stars; the package has its price from now on. */
export async function bringBuyer(studio: BotStudio): Promise<TelegramPerson> {
  await runPackagesCommand(studio.testApp.app, ['edit', '1', '--xtr=250']);
  const person = await studio.newMember();
  await orderStars(person);
  return person;
}

export async function orderStars(person: TelegramPerson): Promise<void> {
  person.say('/balance');
  await person.waitFor(/Пополнить можно прямо здесь/);
  person.press('10 звёзд за 250 ⭐️');
  await person.waitFor(/Пакет «Примерка»: 10 звёзд сервиса/, { kind: 'invoice' });
}

/** What the newest invoice of a person is named by. */
export function invoiceOf(person: TelegramPerson): string {
  return person.messages().findLast(({ kind }) => kind === 'invoice')?.invoice?.payload ?? '';
}

/** Tells of a payment as Telegram does, without having asked; its list has it too. */
export function charge(
  { telegram }: BotStudio,
  person: TelegramPerson,
  chargeId: string,
  { invoice = invoiceOf(person), amount = 250, isUpdateLost = false } = {},
): void {
  telegram.starTransactions.push({
    ...{ id: chargeId, amount, date: Math.floor(Date.now() / 1000) },
    source: { type: 'user', transaction_type: 'invoice_payment', user: person.from, invoice_payload: invoice },
  });
  if (isUpdateLost) return;
  person.send({
    successful_payment: {
      ...{ currency: 'XTR', total_amount: amount, invoice_payload: invoice },
      ...{ telegram_payment_charge_id: chargeId, provider_payment_charge_id: '' },
    },
  });
}

/** Everything was paid so much longer ago; by default, so that no update of it is on its way any more. */
export function agePayments({ telegram }: BotStudio, seconds = 120): void {
  for (const transaction of telegram.starTransactions) transaction.date = Number(transaction.date) - seconds;
}
