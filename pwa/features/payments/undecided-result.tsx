import { Clock, SearchX, UserRoundX } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { useSession } from '#pwa/features/session/use-session.ts';
import { nb } from '#pwa/format.ts';
import { BUY_STARS, HELP_LABEL } from '#pwa/messages.ts';
import { BUY_STARS_PATH, buildAuthPath } from '#pwa/paths.ts';
import { HELP_PATH } from '#shared/rules/app-paths.ts';
import { PaymentExits } from './payment-exits.tsx';
import { PaymentResult } from './payment-result.tsx';
import type { PaymentReturn } from './payment-return.ts';
import type { Decided, InvoiceOutcome } from './use-invoice-outcome.ts';

interface UndecidedResultProps extends LateResultProps {
  state: Exclude<InvoiceOutcome['state'], Decided['state']>;
}

/** What a result page shows as long as nothing is decided, and for an invoice of which it may tell nothing. */
export function UndecidedResult({ state, place, onCheckAgain }: UndecidedResultProps) {
  switch (state) {
    case 'checking':
      return <CheckingResult />;
    case 'late':
      return <LateResult place={place} onCheckAgain={onCheckAgain} />;
    case 'foreign':
      return <ForeignResult />;
    case 'unknown':
      return <UnknownResult />;
  }
}

/** Shown while the outcome is unknown. */
function CheckingResult() {
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

interface LateResultProps {
  place: PaymentReturn | null;
  onCheckAgain: () => void;
}

/** Shown when the outcome is still unknown after a minute. */
function LateResult({ place, onCheckAgain }: LateResultProps) {
  return (
    <PaymentResult
      icon={<Clock className="ic ic-l" />}
      title="Платёж ещё обрабатывается"
      actions={
        <>
          <Button size="lg" onClick={onCheckAgain}>
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

/** Shown for an invoice of another account than the signed-in one. */
function ForeignResult() {
  return (
    <PaymentResult
      icon={<UserRoundX className="ic ic-l" />}
      title="Счёт другого аккаунта"
      actions={<PaymentExits place={null} />}
    >
      <p className="text-muted mt-3 text-lg">
        {nb('Этот счёт открыли в другом аккаунте: звёзды по нему придут туда, даже если платили вы.')}
      </p>
      <p className="mt-4">{nb('Чтобы увидеть, что стало со счётом, выйдите и войдите в тот аккаунт.')}</p>
      <HelpLine />
    </PaymentResult>
  );
}

/** Shown for an address without an invoice, or with one that does not exist. */
function UnknownResult() {
  const isSignedOut = useSession().status === 'signed_out';
  return (
    <PaymentResult
      icon={<SearchX className="ic ic-l" />}
      title="Платёж не найден"
      actions={isSignedOut ? <SignInLink /> : <PaymentExits place={null} />}
    >
      <p className="text-muted mt-3 text-lg">
        {nb('По этому адресу счёта нет. Если вы платили, звёзды придут на баланс и без этой страницы.')}
      </p>
      <HelpLine />
    </PaymentResult>
  );
}

/** Leads back here, where the way on is known once somebody is signed in. */
export function SignInLink() {
  const { pathname, search } = useLocation();
  return (
    <Link to={buildAuthPath(pathname + search)} className="btn primary lg">
      Войти
    </Link>
  );
}

/** For people who have come back without paying. */
function NotPaidLine() {
  return (
    <p className="text-sm text-muted mt-4">
      {nb('Вы не платили? ')}
      <Link className="link text-ink" to={BUY_STARS_PATH}>
        {BUY_STARS}
      </Link>
    </p>
  );
}

/** A question with a link to the support. */
export function HelpLine({ question = 'Звёзд всё ещё нет?' }: { question?: string }) {
  return (
    <p className="text-sm text-muted mt-4">
      {nb(question)}{' '}
      <a className="link text-ink" href={HELP_PATH} target="_blank" rel="noopener">
        {HELP_LABEL}
      </a>
    </p>
  );
}
