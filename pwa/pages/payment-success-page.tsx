import { useIsFetching } from '@tanstack/react-query';
import { CircleCheck, CircleDashed, Clock, SearchX } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { toast } from '#pwa/components/toast.ts';
import { useSession } from '#pwa/features/account/use-session.ts';
import { PayInvoiceLink } from '#pwa/features/payments/pay-invoice-link.tsx';
import { PaymentExits } from '#pwa/features/payments/payment-exits.tsx';
import { PaymentResult } from '#pwa/features/payments/payment-result.tsx';
import { PAYMENT_TEXTS } from '#pwa/features/payments/payment-texts.ts';
import { tellPurchase } from '#pwa/features/payments/tell-purchase.ts';
import { describeInvoice } from '#pwa/features/payments/unpaid-invoices.tsx';
import { useInvoiceOutcome } from '#pwa/features/payments/use-invoice-outcome.ts';
import { usePaymentReturn } from '#pwa/features/payments/use-payment-return.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { formatRubles, nb } from '#pwa/lib/format.ts';
import { BUY_STARS_PATH, buildAuthPath } from '#pwa/lib/paths.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { HELP_LABEL } from '#pwa/messages.ts';
import type { Invoice } from '#shared/contract/payments.ts';
import { HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';
import { countStars } from '#shared/rules/plurals.ts';

/** Where the payment provider sends the buyer. A visit proves nothing: the invoice is asked about. */
export default function PaymentSuccessPage() {
  const [query] = useSearchParams();
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.userId : null;
  const isSignedOut = session.status === 'signed_out';
  const { outcome, checkAgain } = useInvoiceOutcome(query.get('invoice'), userId !== null);
  const paid = outcome.state === 'succeeded' ? outcome.invoice : null;
  useAfterPurchase(userId, paid);
  const place = usePaymentReturn(userId, paid?.id ?? query.get('invoice'));
  // Without the id in the address everything depends on who is signed in.
  const isUnclear = outcome.state === 'unknown' && session.status === 'loading';

  if (outcome.state === 'canceled') {
    return <Navigate to={`${PATHS.paymentFail}?${new URLSearchParams({ invoice: outcome.invoice.id })}`} replace />;
  }
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
  if (outcome.state === 'unpaid') {
    const { invoice } = outcome;
    return (
      <PaymentResult
        icon={<CircleDashed className="ic ic-l" />}
        title="Оплата не завершена"
        actions={
          <>
            <PayInvoiceLink invoice={invoice} size="lg">
              Продолжить оплату
            </PayInvoiceLink>
            <PaymentExits place={place} isSecondary />
          </>
        }
      >
        <p className="text-muted mt-3 text-lg">
          {nb(`Счёт на пакет «${invoice.packageName}» ждёт оплаты: ${countStars(invoice.stars)}.`)}
        </p>
        <p className="num mt-1">{describeInvoice(invoice)}</p>
        <p className="text-sm text-muted mt-4">
          {nb('Уже заплатили? Платить ещё раз не нужно: звёзды придут сами, и эта страница скажет об этом.')}
        </p>
        <p className="text-sm text-muted mt-1">
          <Link className="link text-ink" to={BUY_STARS_PATH}>
            Выбрать другой пакет
          </Link>
        </p>
      </PaymentResult>
    );
  }
  if (outcome.state === 'late') {
    return (
      <PaymentResult
        icon={<Clock className="ic ic-l" />}
        title="Платёж ещё обрабатывается"
        actions={
          <>
            <Button size="lg" onClick={checkAgain}>
              Проверить ещё раз
            </Button>
            <PaymentExits place={place} isSecondary />
          </>
        }
      >
        <p className="text-muted mt-3 text-lg">
          {nb('Платёжная система пока не подтвердила оплату. Если деньги списаны, звёзды ')}
          <b className="text-ink font-semibold">{nb('зачислим в течение одного рабочего дня')}</b>
          {nb('. Платить ещё раз не нужно.')}
        </p>
        <NotPaidLine />
        <HelpLine />
      </PaymentResult>
    );
  }
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
  return (
    <PaymentResult
      icon={<Clock className="ic ic-l" />}
      title="Проверяем платёж…"
      actions={<PaymentExits place={null} isSecondary />}
    >
      <p className="text-muted mt-3 text-lg">
        {nb('Обычно это занимает несколько секунд. Страницу можно закрыть: звёзды придут и без неё.')}
      </p>
      <StitchProgress className="mt-6" label="Проверяем платёж" />
      <NotPaidLine />
    </PaymentResult>
  );
}

/** Tells of each paid invoice once, however often it is read again. */
function useAfterPurchase(userId: number | null, paid: Invoice | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same invoice read again is no news.
  useEffect(() => {
    if (!paid) return;
    if (userId !== null) tellPurchase(userId, paid);
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

function SignInLink() {
  return (
    <Link to={buildAuthPath(PATHS.app)} className="btn primary lg">
      Войти
    </Link>
  );
}

/** For those who came back from the payment page without paying. */
function NotPaidLine() {
  return (
    <p className="text-sm text-muted mt-4">
      {nb('Вы не платили? ')}
      <Link className="link text-ink" to={BUY_STARS_PATH}>
        Выбрать пакет снова
      </Link>
    </p>
  );
}

function HelpLine() {
  return (
    <p className="text-sm text-muted mt-4">
      {nb('Звёзд всё ещё нет? ')}
      <a className="link text-ink" href={HELP_PATH} target="_blank" rel="noopener">
        {HELP_LABEL}
      </a>
    </p>
  );
}
