import { Navigate } from 'react-router-dom';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { Decided } from './use-invoice-outcome.ts';

/** Redirects to the result page for this outcome. */
export function OtherResultPage({ outcome }: { outcome: Decided }) {
  return <Navigate to={buildResultAddress(outcome)} replace />;
}

/** The address of the result page: one for successful payments, another for all others. */
export function buildResultAddress({ state, invoice }: { state: Decided['state']; invoice: { id: string } }): string {
  const path = state === 'succeeded' ? PATHS.paymentSuccess : PATHS.paymentFail;
  return `${path}?${new URLSearchParams({ invoice: invoice.id })}`;
}
