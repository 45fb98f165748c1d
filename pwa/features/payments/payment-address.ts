/** Where the browser may be sent to pay: a page of this site or one over https; null for anything else. */
export function resolvePaymentUrl(paymentUrl: string, pageUrl: string): string | null {
  if (!URL.canParse(paymentUrl, pageUrl)) return null;
  const url = new URL(paymentUrl, pageUrl);
  return url.protocol === 'https:' || url.origin === new URL(pageUrl).origin ? url.href : null;
}
