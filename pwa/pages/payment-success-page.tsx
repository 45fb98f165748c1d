import { useIsFetching, useQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { InvoiceFacts } from '#pwa/features/payments/invoice-facts.tsx';
import { OtherResultPage } from '#pwa/features/payments/other-result-page.tsx';
import { PaymentExits } from '#pwa/features/payments/payment-exits.tsx';
import { PaymentResult } from '#pwa/features/payments/payment-result.tsx';
import type { PaymentReturn } from '#pwa/features/payments/payment-return.ts';
import { PAYMENT_TEXTS } from '#pwa/features/payments/payment-texts.ts';
import { announcePurchase } from '#pwa/features/payments/purchases.ts';
import { SignInLink, UndecidedResult } from '#pwa/features/payments/undecided-result.tsx';
import { useInvoiceOutcome } from '#pwa/features/payments/use-invoice-outcome.ts';
import { usePaymentReturn } from '#pwa/features/payments/use-payment-return.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { nb } from '#pwa/format.ts';
import { getLastInvoice, type Invoice } from '#shared/contract/payments.ts';
import { countStars } from '#shared/rules/plurals.ts';

/** An invoice is paid within an hour of its making, or hardly ever. */
const JUST_MADE_MS = 60 * 60_000;

/** The page that the payment provider returns the buyer to. A visit proves nothing, so the invoice is fetched. */
export default function PaymentSuccessPage() {
  const [query] = useSearchParams();
  const invoiceId = query.get('invoice');
  return invoiceId === null ? <NewestPayment /> : <ReturnedPayment invoiceId={invoiceId} />;
}

/** For a return without an invoice in the address: the newest one of the account, while it can be the one just paid. */
function NewestPayment() {
  const session = useSession();
  const newest = useQuery({
    queryKey: ['last-invoice'],
    queryFn: ({ signal }) => callApi(getLastInvoice, undefined, { signal }),
    enabled: session.status === 'signed_in',
    staleTime: 0,
  });
  const invoice = newest.data?.invoice;
  if (invoice && Date.now() - Date.parse(invoice.createdAt) < JUST_MADE_MS) {
    return <ReturnedPayment invoiceId={invoice.id} />;
  }
  const isAsking = session.status === 'loading' || newest.isLoading;
  const state = isAsking ? 'checking' : newest.isError ? 'late' : 'unknown';
  return <UndecidedResult state={state} place={null} onCheckAgain={() => void newest.refetch()} />;
}

function ReturnedPayment({ invoiceId }: { invoiceId: string }) {
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.userId : null;
  const { outcome, checkAgain } = useInvoiceOutcome(invoiceId);
  useAfterPurchase(userId, outcome.state === 'succeeded' ? outcome.invoice : null);
  const place = usePaymentReturn(userId, invoiceId);
  switch (outcome.state) {
    case 'succeeded':
      return <PaidResult invoice={outcome.invoice} place={place} isSignedOut={session.status === 'signed_out'} />;
    case 'unpaid':
    case 'canceled':
      return <OtherResultPage outcome={outcome} />;
    default:
      return <UndecidedResult state={outcome.state} place={place} onCheckAgain={checkAgain} />;
  }
}

interface PaidResultProps {
  invoice: Invoice;
  place: PaymentReturn | null;
  isSignedOut: boolean;
}

function PaidResult({ invoice, place, isSignedOut }: PaidResultProps) {
  return (
    <PaymentResult
      icon={<CircleCheck className="ic ic-l text-success" />}
      title={PAYMENT_TEXTS.succeeded}
      actions={isSignedOut ? <SignInLink /> : <PaymentExits place={place} />}
    >
      <p className="text-muted mt-3 text-lg">{PAYMENT_TEXTS.succeededHint}</p>
      <InvoiceFacts invoice={invoice} place={place} />
      {isSignedOut ? (
        <p className="mt-5">{nb('Войдите, чтобы увидеть баланс и продолжить работу.')}</p>
      ) : (
        <CurrentBalance />
      )}
    </PaymentResult>
  );
}

/** Announces each paid invoice once, however often it is fetched. */
function useAfterPurchase(userId: number | null, paid: Invoice | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same invoice read again is no news.
  useEffect(() => {
    if (!paid) return;
    if (userId !== null) announcePurchase(userId, paid);
    else toast({ title: PAYMENT_TEXTS.succeeded, description: PAYMENT_TEXTS.succeededHint, tone: 'success' });
  }, [paid?.id, userId]);
}

function CurrentBalance() {
  const { balance } = useStarBalance();
  const isAsking = useIsFetching({ queryKey: QUERY_KEYS.starBalance }) > 0;
  return (
    <p className="num text-lg font-semibold mt-5">
      Текущий баланс: {isAsking || balance === undefined ? '...' : countStars(balance)}
    </p>
  );
}
