import { CircleDashed } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { keepWayBack } from '#pwa/features/generations/way-back.ts';
import { formatTime, nb } from '#pwa/format.ts';
import { BUY_STARS } from '#pwa/messages.ts';
import { BUY_STARS_PATH } from '#pwa/paths.ts';
import type { LookedUpInvoice } from '#shared/contract/payments.ts';
import { Fact, InvoiceFacts } from './invoice-facts.tsx';
import { PayInvoiceLink } from './pay-invoice-link.tsx';
import { PaymentExits } from './payment-exits.tsx';
import { PaymentResult } from './payment-result.tsx';
import type { PaymentReturn } from './payment-return.ts';

const PAID_ALREADY = 'Уже заплатили? Платить ещё раз не нужно: звёзды придут сами, и эта страница скажет об этом.';

interface UnpaidResultProps {
  invoice: LookedUpInvoice;
  place: PaymentReturn | null;
}

/** The result page of an unpaid invoice: a link to pay it, or why it cannot be paid. */
export function UnpaidResult({ invoice, place }: UnpaidResultProps) {
  if (invoice.isDismissed || invoice.paymentUrl === null) return <ClosedInvoice invoice={invoice} place={place} />;
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
      <p className="text-muted mt-3 text-lg">{nb('Счёт ждёт оплаты, звёзды придут сразу после неё.')}</p>
      <InvoiceFacts invoice={invoice} place={place}>
        {invoice.payableUntil && <Fact name="Оплатить можно до">{formatTime(invoice.payableUntil)}</Fact>}
      </InvoiceFacts>
      <p className="text-sm text-muted mt-4">{nb(PAID_ALREADY)}</p>
      <p className="text-sm text-muted mt-1">
        <Link className="link text-ink" to={BUY_STARS_PATH} state={keepWayBack(place)}>
          Выбрать другой пакет
        </Link>
      </p>
    </PaymentResult>
  );
}

function ClosedInvoice({ invoice, place }: UnpaidResultProps) {
  const { title, text } = describeClosedInvoice(invoice);
  return (
    <PaymentResult
      icon={<CircleDashed className="ic ic-l" />}
      title={title}
      actions={
        <>
          <ButtonLink size="lg" to={BUY_STARS_PATH} state={keepWayBack(place)}>
            {BUY_STARS}
          </ButtonLink>
          <PaymentExits place={place} isSecondary />
        </>
      }
    >
      <p className="text-muted mt-3 text-lg">{nb(text)}</p>
      <InvoiceFacts invoice={invoice} place={place} />
      <p className="text-sm text-muted mt-4">{nb(PAID_ALREADY)}</p>
    </PaymentResult>
  );
}

/** Why an unpaid invoice can no longer be paid. */
export function describeClosedInvoice({ isDismissed }: Pick<LookedUpInvoice, 'isDismissed'>) {
  return isDismissed
    ? { title: 'Счёт отменён', text: 'Вы отменили этот счёт. Если звёзды всё же нужны, выберите пакет снова.' }
    : {
        title: 'Срок оплаты истёк',
        text: 'Ссылка на оплату больше не действует. Выберите пакет снова, и мы откроем новый счёт.',
      };
}
