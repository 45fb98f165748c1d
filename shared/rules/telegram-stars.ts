/** The id of Telegram Stars in the table of payments. */
export const TELEGRAM_STARS = 'telegram_stars';
/** Minor units of one Telegram Star. Payments store hundredths of every currency. */
export const HUNDREDTHS = 100;

/** The id of a payment in Telegram. Telegram needs both parts for a refund. */
export function nameTelegramPayment(telegramUserId: number, chargeId: string): string {
  return `${telegramUserId}:${chargeId}`;
}

export function readTelegramPayment(name: string): { telegramUserId: number; chargeId: string } {
  const at = name.indexOf(':');
  return { telegramUserId: Number(name.slice(0, at)), chargeId: name.slice(at + 1) };
}
