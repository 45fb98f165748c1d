import { parseUrl } from '#shared/rules/parse-url.ts';

/**
 * The address of a payment page, if the browser may be sent there: a page of this site or over https. Null for anything
 * else.
 */
export function resolvePaymentUrl(paymentUrl: string, pageUrl: string): string | null {
  const url = parseUrl(paymentUrl, pageUrl);
  if (!url) return null;
  return url.protocol === 'https:' || url.origin === new URL(pageUrl).origin ? url.href : null;
}
