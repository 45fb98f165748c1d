/**
 * The address of a payment page, if the browser may be sent there: a page of this site or over https. Null for anything
 * else.
 */
export function resolvePaymentUrl(paymentUrl: string, pageUrl: string): string | null {
  if (!URL.canParse(paymentUrl, pageUrl)) return null;
  const url = new URL(paymentUrl, pageUrl);
  return url.protocol === 'https:' || url.origin === new URL(pageUrl).origin ? url.href : null;
}
