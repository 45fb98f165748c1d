import { useEffect, useState } from 'react';
import { findWayBack, type PaymentReturn, readPaymentReturn } from './payment-return.ts';

/** Where the buyer of this invoice was before paying; null while unknown, on another device and for the main page. */
export function usePaymentReturn(userId: number | null, invoiceId: string | null): PaymentReturn | null {
  const [place, setPlace] = useState<PaymentReturn | null>(null);
  useEffect(() => {
    if (userId === null || invoiceId === null) return;
    let isCurrent = true;
    readPaymentReturn(userId)
      .then((found) => isCurrent && setPlace(findWayBack(found, invoiceId)))
      // Without the device's storage there is only the way to the main page.
      .catch((error: unknown) => console.warn('the page before the payment is unknown:', error));
    return () => {
      isCurrent = false;
    };
  }, [userId, invoiceId]);
  return place;
}
