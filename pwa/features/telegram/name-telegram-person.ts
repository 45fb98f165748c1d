import type { TelegramPerson } from '#shared/contract/telegram.ts';

/** «Анна, @anna», as far as it is known. */
export function nameTelegramPerson({ username, firstName }: TelegramPerson): string {
  return [firstName, username && `@${username}`].filter(Boolean).join(', ') || 'Telegram';
}
