/** The Stars of Telegram in the table of payments. */
export const TELEGRAM_STARS = 'telegram_stars';
/** Minor units of one Telegram Star: payments keep money in hundredths of every currency. */
export const HUNDREDTHS = 100;

/** A payment's id with Telegram, which asks for both parts when it is to be given back. */
export function nameTelegramPayment(telegramUserId: number, chargeId: string): string {
  return `${telegramUserId}:${chargeId}`;
}

/** The reverse. */
export function readTelegramPayment(name: string): { telegramUserId: number; chargeId: string } {
  const at = name.indexOf(':');
  return { telegramUserId: Number(name.slice(0, at)), chargeId: name.slice(at + 1) };
}
