import { runPackagesCommand } from '#api/commands/packages.ts';
import type { useBotHarness } from './bot-harness.ts';
import type { TelegramUser } from './telegram-user.ts';

type BotHarness = ReturnType<typeof useBotHarness>;

/** Sets a package's price to 250 Telegram Stars and creates a person with an unpaid invoice for its ten stars. */
export async function bringBuyer(harness: BotHarness): Promise<TelegramUser> {
  await runPackagesCommand(harness.testApp.app, ['edit', '1', '--xtr=250']);
  const user = await harness.newMember();
  await orderStars(user);
  return user;
}

export async function orderStars(user: TelegramUser): Promise<void> {
  await user.ask('/balance', /Купить звезды можно прямо здесь/);
  await user.choose('10 звёзд за 250 ⭐️', /Пакет «Примерка»: 10 звёзд сервиса/, { kind: 'invoice' });
}

/** Makes all payments older. By default old enough that none of their updates is still expected. */
export function agePayments({ telegram }: BotHarness, seconds = 120): void {
  for (const transaction of telegram.starTransactions) transaction.date = Number(transaction.date) - seconds;
}
