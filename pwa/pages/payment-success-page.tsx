import { useIsFetching } from '@tanstack/react-query';
import { CircleCheck, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { OtherResultPage } from '#pwa/features/payments/other-result-page.tsx';
import { PaymentExits } from '#pwa/features/payments/payment-exits.tsx';
import { PaymentResult } from '#pwa/features/payments/payment-result.tsx';
import { PAYMENT_TEXTS } from '#pwa/features/payments/payment-texts.ts';
import { announcePurchase } from '#pwa/features/payments/purchases.ts';
import { CheckingResult, ForeignResult, HelpLine, LateResult } from '#pwa/features/payments/undecided-result.tsx';
import { useInvoiceOutcome } from '#pwa/features/payments/use-invoice-outcome.ts';
import { usePaymentReturn } from '#pwa/features/payments/use-payment-return.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { formatRubles, nb } from '#pwa/format.ts';
import { buildAuthPath } from '#pwa/paths.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import { countStars } from '#shared/rules/plurals.ts';

/** The page that the payment provider returns the buyer to. A visit proves nothing, so the invoice is fetched. */
export default function PaymentSuccessPage() {
  const [query] = useSearchParams();
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.userId : null;
  const isSignedOut = session.status === 'signed_out';
  const { outcome, checkAgain } = useInvoiceOutcome(query.get('invoice'), userId !== null);
  const paid = outcome.state === 'succeeded' ? outcome.invoice : null;
  useAfterPurchase(userId, paid);
  const place = usePaymentReturn(userId, paid?.id ?? query.get('invoice'));
  // Without an invoice id in the address the outcome depends on who is signed in.
  const isUnclear = outcome.state === 'unknown' && session.status === 'loading';

  if (outcome.state === 'unpaid' || outcome.state === 'canceled') return <OtherResultPage outcome={outcome} />;
  if (paid) {
    return (
      <PaymentResult
        icon={<CircleCheck className="ic ic-l text-success" />}
        title={PAYMENT_TEXTS.succeeded}
        actions={isSignedOut ? <SignInLink /> : <PaymentExits place={place} />}
      >
        <p className="text-muted mt-3 text-lg">{PAYMENT_TEXTS.succeededHint}</p>
        <p className="num text-sm text-muted mt-1">
          {nb(`Пакет «${paid.packageName}»: ${countStars(paid.stars)}, ${formatRubles(paid.amountRub)}`)}
        </p>
        {isSignedOut ? (
          <p className="mt-5">{nb('Войдите, чтобы увидеть баланс и продолжить работу.')}</p>
        ) : (
          <CurrentBalance />
        )}
      </PaymentResult>
    );
  }
  if (outcome.state === 'late') return <LateResult place={place} onCheckAgain={checkAgain} />;
  if (outcome.state === 'foreign') return <ForeignResult />;
  if (outcome.state === 'unknown' && !isUnclear) {
    return (
      <PaymentResult
        icon={<SearchX className="ic ic-l" />}
        title="Платёж не найден"
        actions={isSignedOut ? <SignInLink /> : <PaymentExits place={place} />}
      >
        <p className="text-muted mt-3 text-lg">
          {nb('По этому адресу счёта нет. Если вы платили, звёзды придут на баланс и без этой страницы.')}
        </p>
        <HelpLine />
      </PaymentResult>
    );
  }
  return <CheckingResult />;
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

/** Leads back here, where the way on is known once somebody is signed in. */
function SignInLink() {
  const { pathname, search } = useLocation();
  return (
    <Link to={buildAuthPath(pathname + search)} className="btn primary lg">
      Войти
    </Link>
  );
}
