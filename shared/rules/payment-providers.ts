import { TELEGRAM_STARS } from './telegram-stars.ts';

/** Outside providers with a payment page, as PAYMENTS and the table of payments name them. */
export const PAGE_PROVIDERS = ['yookassa', 'tbank'] as const;
export type PageProvider = (typeof PAGE_PROVIDERS)[number];

const NAMES: Record<PageProvider | 'sandbox' | typeof TELEGRAM_STARS, string> = {
  sandbox: 'Тестовая оплата',
  yookassa: 'ЮKassa',
  tbank: 'Т-Банк',
  [TELEGRAM_STARS]: 'Telegram Stars',
};

/** The Russian name of a provider in the table of payments: «Т-Банк». Payments may have providers no longer listed. */
export function namePaymentProvider(name: string): string {
  const names: Record<string, string> = NAMES;
  return names[name] ?? name;
}
