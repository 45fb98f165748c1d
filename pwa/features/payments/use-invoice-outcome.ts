import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { getInvoice, getLastInvoice, type LookedUpInvoice } from '#shared/contract/payments.ts';

const POLL_MS = 2000;
/** Of somebody who is told that they have not paid: they may have, and the provider not have noticed yet. */
const UNPAID_POLL_MS = 5000;
const PATIENCE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** The other result page, to which the outcome may lead, begins with what this one has learned. */
const KEPT_MS = 60_000;
/** An invoice without its id in the address is only believed to be the one just paid while it is this young. */
const LAST_INVOICE_MAX_AGE_MS = 24 * 60 * 60_000;

export type InvoiceOutcome =
  | { state: 'checking' }
  /** `unpaid`: the provider still waits for the buyer. */
  | { state: 'succeeded' | 'canceled' | 'unpaid'; invoice: LookedUpInvoice }
  /** The provider has not confirmed it within a minute. */
  | { state: 'late' }
  /** It is of another account than the one that is signed in. */
  | { state: 'foreign' }
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
    gcTime: KEPT_MS,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (isLate ? false : chooseInterval(readOutcome(state.data, state.error))),
  });
  const answered = canAsk ? readOutcome(query.data, query.error) : ({ state: 'unknown' } as const);
  const [unpaidId, setUnpaidId] = useState<string | null>(null);
  if (answered?.state === 'unpaid' && answered.invoice.id !== unpaidId) setUnpaidId(answered.invoice.id);
  const isWaiting = chooseInterval(answered) !== false && !isLate;
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
  if (answered) return { outcome: answered, checkAgain };
  // Once known it is not unlearned by an answer for which the provider could not be asked.
  const unpaid = query.data?.status === 'pending' && query.data.id === unpaidId ? query.data : null;
  const waiting: InvoiceOutcome = { state: isLate ? 'late' : 'checking' };
  return { outcome: unpaid ? { state: 'unpaid' as const, invoice: unpaid } : waiting, checkAgain };
}

/** When to ask again, in milliseconds; false once it is decided. */
function chooseInterval(outcome: InvoiceOutcome | null): number | false {
  if (outcome === null) return POLL_MS;
  return outcome.state === 'unpaid' ? UNPAID_POLL_MS : false;
}

async function fetchInvoice(invoiceId: string | null, signal: AbortSignal): Promise<LookedUpInvoice | null> {
  if (invoiceId !== null) return callApi(getInvoice, { params: { id: invoiceId } }, { signal });
  const { invoice } = await callApi(getLastInvoice, undefined, { signal });
  return invoice && Date.now() - Date.parse(invoice.createdAt) < LAST_INVOICE_MAX_AGE_MS ? invoice : null;
}

/** Null while nothing is known: nobody could ask about the pending invoice, its money is on its way, or no answer came. */
export function readOutcome(invoice: LookedUpInvoice | null | undefined, error: unknown): InvoiceOutcome | null {
  if (invoice === null) return { state: 'unknown' };
  if (invoice?.isUnpaid) return { state: 'unpaid', invoice };
  if (invoice) return invoice.status === 'pending' ? null : { state: invoice.status, invoice };
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'invoice_forbidden') return { state: 'foreign' };
  return [400, 404].includes(error.status) ? { state: 'unknown' } : null;
}
