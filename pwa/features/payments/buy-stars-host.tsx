import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { ignoreFailure } from '#pwa/device/storage.ts';
import { useStore } from '#pwa/device/store.ts';
import { buyStarsRequest, closeBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { readSessionMarker } from '#pwa/features/session/session-marker.ts';
import { useSessionMarker } from '#pwa/features/session/use-session-marker.ts';
import { getInvoice } from '#shared/contract/payments.ts';
import { readPaymentReturn, settlePaymentReturn } from './payment-return.ts';
import { announcePurchase, subscribePurchases } from './purchases.ts';

const BuyStarsDialog = lazy(async () => ({ default: (await import('./buy-stars-dialog.tsx')).BuyStarsDialog }));

/** Shows the buy-stars dialog over any page, and refreshes the data after a purchase in another tab. Mount once. */
export function BuyStarsHost() {
  const request = useStore(buyStarsRequest);
  const { pathname } = useLocation();
  const isSignedIn = useSessionMarker() !== null;
  const isOpen = request !== null && request.pathname === pathname && isSignedIn;
  useEffect(() => {
    // The person has left the page by «Back» or was signed out.
    if (request && !isOpen) closeBuyStars();
  }, [request, isOpen]);

  useReturnedBuyer();
  const queryClient = useQueryClient();
  useEffect(
    () =>
      subscribePurchases((userId) => {
        if (userId !== readSessionMarker()?.userId) return;
        // What was to be bought is bought. The download that it was for may wait behind the dialog.
        closeBuyStars();
        // A purchase changes more than the balance: also what may be downloaded, and how pictures and videos are
        // served.
        void queryClient.invalidateQueries();
      }),
    [queryClient],
  );
  return (
    <Suspense>{isOpen && <BuyStarsDialog missingStars={request.missingStars} onClose={closeBuyStars} />}</Suspense>
  );
}

/**
 * Announces the outcome to a buyer who comes back to this page. An installed app opens the payment page beside itself,
 * and the success page opens elsewhere.
 */
function useReturnedBuyer(): void {
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') ignoreFailure(announceOutcome());
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
}

async function announceOutcome(): Promise<void> {
  const userId = readSessionMarker()?.userId;
  if (userId === undefined) return;
  const place = await readPaymentReturn(userId);
  if (!place || place.isSettled) return;
  // Without an answer the next return asks again.
  const invoice = await callApi(getInvoice, { params: { id: place.invoiceId } }).catch(() => null);
  if (invoice?.status === 'succeeded') announcePurchase(userId, invoice);
  if (invoice?.status === 'canceled') await settlePaymentReturn(userId, invoice.id);
}
