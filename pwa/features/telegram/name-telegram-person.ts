import type { TelegramPerson } from '#shared/contract/telegram.ts';

/** «@anna (Анна)», as far as it is known. The name comes first that nobody else can have. */
export function nameTelegramPerson({ username, firstName }: TelegramPerson): string {
  if (username === null) return firstName ? `«${firstName}» без имени @` : 'Telegram без имени @';
  return firstName ? `@${username} (${firstName})` : `@${username}`;
}
