import { useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { buyStarsRequest } from '#pwa/features/generations/buy-stars.ts';
import { useRouteTitle } from '#pwa/features/session/route-handle.ts';
import { readSessionMarker } from '#pwa/features/session/session-marker.ts';
import { findWayBack, type PaymentReturn, readPaymentReturn, savePaymentReturn } from './payment-return.ts';

/**
 * The page where the buyer of this invoice was before the payment. Null while unknown, on another device, and for the
 * main page.
 */
export function usePaymentReturn(userId: number | null, invoiceId: string | null): PaymentReturn | null {
  const [place, setPlace] = useState<PaymentReturn | null>(null);
  useEffect(() => {
    if (userId === null || invoiceId === null) return;
    let isCurrent = true;
    readPaymentReturn(userId)
      .then((found) => isCurrent && setPlace(findWayBack(found, invoiceId)))
      // Without storage there is only the link to the main page.
      .catch((error: unknown) => console.warn('the page before the payment is unknown:', error));
    return () => {
      isCurrent = false;
    };
  }, [userId, invoiceId]);
  return place;
}

/** IndexedDB on iOS may never answer, and nobody waits for it to pay. */
const STORE_WAIT_MS = 1000;

/**
 * Returns a function that stores the invoice with the place where the buyer goes on: the one that the buy-stars dialog
 * was opened with, or else the open page. Its promise never rejects. It resolves when that is stored, because a page
 * that is left earlier may lose the write, or after a second.
 */
export function useRememberPlace(): (invoiceId: string) => Promise<void> {
  const { pathname, search } = useLocation();
  const title = useRouteTitle();
  return async (invoiceId) => {
    const userId = readSessionMarker()?.userId;
    if (userId === undefined) return;
    const wayBack = buyStarsRequest.get()?.wayBack ?? {
      path: pathname + search,
      label: `Продолжить: ${title}`,
      purpose: title,
    };
    const place = { invoiceId, ...wayBack, isSettled: false };
    await Promise.race([
      ignoreFailure(savePaymentReturn(userId, place)),
      new Promise((resolve) => setTimeout(resolve, STORE_WAIT_MS)),
    ]);
  };
}
