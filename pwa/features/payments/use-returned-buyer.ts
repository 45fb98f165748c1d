import { useEffect } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { readSessionMarker } from '#pwa/lib/session-marker.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { getInvoice } from '#shared/contract/payments.ts';
import { readPaymentReturn, settlePaymentReturn } from './payment-return.ts';
import { tellPurchase } from './tell-purchase.ts';

/** An installed app opens the payment page beside itself, and its success page elsewhere: whoever comes back is told here. */
export function useReturnedBuyer(): void {
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') ignoreFailure(tellOutcome());
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  }, []);
}

async function tellOutcome(): Promise<void> {
  const userId = readSessionMarker()?.userId;
  if (userId === undefined) return;
  const place = await readPaymentReturn(userId);
  if (!place || place.isSettled) return;
  // Without an answer it is asked again at the next return.
  const invoice = await callApi(getInvoice, { params: { id: place.invoiceId } }).catch(() => null);
  if (invoice?.status === 'succeeded') tellPurchase(userId, invoice);
  if (invoice?.status === 'canceled') await settlePaymentReturn(userId, invoice.id);
}
