import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { getInvoice, getLastInvoice, type Invoice } from '#shared/contract/payments.ts';

const POLL_MS = 2000;
const PATIENCE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** An invoice without its id in the address is only believed to be the one just paid while it is this young. */
const LAST_INVOICE_MAX_AGE_MS = 24 * 60 * 60_000;

export type InvoiceOutcome =
  | { state: 'checking' }
  | { state: 'succeeded' | 'canceled'; invoice: Invoice }
  /** The provider has not confirmed it within a minute. */
  | { state: 'late' }
  /** There is no such invoice, or none to ask about. */
  | { state: 'unknown' };

/** What became of an invoice, or without its id of the newest one of whoever is signed in; asks for up to a minute. */
export function useInvoiceOutcome(invoiceId: string | null, isSignedIn: boolean) {
  const canAsk = invoiceId !== null || isSignedIn;
  const [isLate, setIsLate] = useState(false);
  const query = useQuery({
    queryKey: ['invoice', invoiceId],
    queryFn: ({ signal }) => fetchInvoice(invoiceId, AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)])),
    enabled: canAsk,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (isLate || readOutcome(state.data, state.error) !== null ? false : POLL_MS),
  });
  const answered = canAsk ? readOutcome(query.data, query.error) : ({ state: 'unknown' } as const);
  const isWaiting = answered === null && !isLate;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);

  const { refetch } = query;
  const checkAgain = useCallback(() => {
    setIsLate(false);
    void refetch();
  }, [refetch]);
  const outcome: InvoiceOutcome = answered ?? { state: isLate ? 'late' : 'checking' };
  return { outcome, checkAgain };
}

async function fetchInvoice(invoiceId: string | null, signal: AbortSignal): Promise<Invoice | null> {
  if (invoiceId !== null) return callApi(getInvoice, { params: { id: invoiceId } }, { signal });
  const { invoice } = await callApi(getLastInvoice, undefined, { signal });
  return invoice && Date.now() - Date.parse(invoice.createdAt) < LAST_INVOICE_MAX_AGE_MS ? invoice : null;
}

/** Null while there is reason to ask again: the invoice is pending or the server did not answer. */
export function readOutcome(invoice: Invoice | null | undefined, error: unknown): InvoiceOutcome | null {
  if (invoice === null) return { state: 'unknown' };
  if (invoice) return invoice.status === 'pending' ? null : { state: invoice.status, invoice };
  return error instanceof ApiError && [400, 404].includes(error.status) ? { state: 'unknown' } : null;
}
