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
  await person.ask('/balance', /Пополнить можно прямо здесь/);
  await person.choose('10 звёзд за 250 ⭐️', /Пакет «Примерка»: 10 звёзд сервиса/, { kind: 'invoice' });
}

/** Makes all payments older. By default old enough that none of their updates is still expected. */
export function agePayments({ telegram }: BotHarness, seconds = 120): void {
  for (const transaction of telegram.starTransactions) transaction.date = Number(transaction.date) - seconds;
}
