/** How people know those who take money for us. A payment may have been taken by one that is not in use any more. */
const PAYMENT_PROVIDERS: Readonly<Record<string, string>> = {
  sandbox: 'Тестовая оплата',
  yookassa: 'ЮKassa',
  tbank: 'Т-Банк',
  telegram_stars: 'Telegram Stars',
};

/** The name that a provider goes by in the table of payments, in words: «Т-Банк». */
export function namePaymentProvider(name: string): string {
  return PAYMENT_PROVIDERS[name] ?? name;
}
