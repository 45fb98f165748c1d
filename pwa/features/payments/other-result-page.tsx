import { Navigate } from 'react-router-dom';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { InvoiceOutcome } from './use-invoice-outcome.ts';

type Decided = Extract<InvoiceOutcome, { invoice: unknown }>;

/** Leads to the result page whose address tells what became of the invoice. */
export function OtherResultPage({ outcome }: { outcome: Decided }) {
  return <Navigate to={buildResultAddress(outcome)} replace />;
}

/** A payment that has come is told by one address; one that has not, for whatever reason, by the other. */
export function buildResultAddress({ state, invoice }: { state: Decided['state']; invoice: { id: string } }): string {
  const path = state === 'succeeded' ? PATHS.paymentSuccess : PATHS.paymentFail;
  return `${path}?${new URLSearchParams({ invoice: invoice.id })}`;
}
