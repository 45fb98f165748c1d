import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { limitSignal } from '#pwa/client/limit-signal.ts';
import { getInvoice, type LookedUpInvoice } from '#shared/contract/payments.ts';

const POLL_MS = 2000;
/**
 * Pauses between polls of an unpaid invoice, in milliseconds. The buyer may still pay in another tab. Each pause is
 * longer than the one before, up to the longest.
 */
const UNPAID_POLL_MS = { first: 5000, longest: 60_000, growth: 1.2 };
const PATIENCE_MS = 60_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** The other result page, to which the outcome may redirect, starts with this cached answer. */
const KEPT_MS = 60_000;

export type InvoiceOutcome =
  | { state: 'checking' }
  /** `unpaid`: the provider is still waiting for the buyer. */
  | { state: 'succeeded' | 'canceled' | 'unpaid'; invoice: LookedUpInvoice }
  /** The provider has not confirmed it within a minute. */
  | { state: 'late' }
  /** The invoice belongs to another account than the signed-in one. */
  | { state: 'foreign' }
  /** There is no such invoice. */
  | { state: 'unknown' };
export type Decided = Extract<InvoiceOutcome, { invoice: unknown }>;

/**
 * The outcome of an invoice. Polls for up to a minute, and as long as the page is open while the provider is waiting for
 * the buyer.
 */
export function useInvoiceOutcome(invoiceId: string) {
  const [isLate, setIsLate] = useState(false);
  const query = useQuery({
    queryKey: ['invoice', invoiceId],
    queryFn: async ({ signal, client, queryKey }) => {
      const limit = limitSignal(signal, ANSWER_TIMEOUT_MS);
      const invoice = await callApi(getInvoice, { params: { id: invoiceId } }, { signal: limit });
      // A known «unpaid» stays when a later answer comes without the provider's state.
      const wasUnpaid = client.getQueryData<LookedUpInvoice>(queryKey)?.isUnpaid ?? false;
      return { ...invoice, isUnpaid: invoice.status === 'pending' && (invoice.isUnpaid || wasUnpaid) };
    },
    staleTime: 0,
    gcTime: KEPT_MS,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data, error, dataUpdateCount } }) =>
      chooseInterval(readOutcome(data, error), isLate, dataUpdateCount),
  });
  const outcome = readOutcome(query.data, query.error);
  const isWaiting = outcome === null && !isLate;
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setIsLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isWaiting]);

  const checkAgain = () => {
    setIsLate(false);
    void query.refetch();
  };
  return { outcome: outcome ?? ({ state: isLate ? 'late' : 'checking' } as const), checkAgain };
}

/** The pause before the next poll, in milliseconds, after this many answers; false to stop. */
export function chooseInterval(outcome: InvoiceOutcome | null, isLate: boolean, answers: number): number | false {
  if (outcome === null) return isLate ? false : POLL_MS;
  const { first, longest, growth } = UNPAID_POLL_MS;
  return outcome.state === 'unpaid' ? Math.min(first * growth ** answers, longest) : false;
}

/**
 * The outcome that an answer tells; null while it is undecided: the invoice is pending and not known to be unpaid, or
 * no answer came.
 */
export function readOutcome(invoice: LookedUpInvoice | undefined, error: unknown): InvoiceOutcome | null {
  if (invoice?.isUnpaid) return { state: 'unpaid', invoice };
  if (invoice) return invoice.status === 'pending' ? null : { state: invoice.status, invoice };
  if (!(error instanceof ApiError)) return null;
  if (error.code === 'invoice_forbidden') return { state: 'foreign' };
  return [400, 404].includes(error.status) ? { state: 'unknown' } : null;
}
