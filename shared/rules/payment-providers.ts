/** Names of the providers for people. A payment may belong to a provider that is not in use any more. */
const PAYMENT_PROVIDERS: Readonly<Record<string, string>> = {
  sandbox: 'Тестовая оплата',
  yookassa: 'ЮKassa',
  tbank: 'Т-Банк',
  telegram_stars: 'Telegram Stars',
};

/** The Russian name of a provider's id in the table of payments: «Т-Банк». */
export function namePaymentProvider(name: string): string {
  return PAYMENT_PROVIDERS[name] ?? name;
}
