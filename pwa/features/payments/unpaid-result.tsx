import { CircleDashed } from 'lucide-react';
import { Link } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { keepWayBack } from '#pwa/features/generations/wanted-download.ts';
import { formatRubles, nb } from '#pwa/format.ts';
import { BUY_STARS_PATH } from '#pwa/paths.ts';
import type { LookedUpInvoice } from '#shared/contract/payments.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { PayInvoiceLink } from './pay-invoice-link.tsx';
import { PaymentExits } from './payment-exits.tsx';
import { PaymentResult } from './payment-result.tsx';
import type { PaymentReturn } from './payment-return.ts';
import { describeInvoice } from './unpaid-invoices.tsx';

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
      <p className="text-muted mt-3 text-lg">
        {nb(`Счёт на пакет «${invoice.packageName}» ждёт оплаты: ${countStars(invoice.stars)}.`)}
      </p>
      <p className="num mt-1">{describeInvoice(invoice)}</p>
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
            Выбрать пакет
          </ButtonLink>
          <PaymentExits place={place} isSecondary />
        </>
      }
    >
      <p className="text-muted mt-3 text-lg">{nb(text)}</p>
      <p className="num mt-1">
        {nb(`Пакет «${invoice.packageName}»: ${countStars(invoice.stars)}, ${formatRubles(invoice.amountRub)}`)}
      </p>
      <p className="text-sm text-muted mt-4">{nb(PAID_ALREADY)}</p>
    </PaymentResult>
  );
}

/** Why an unpaid invoice can no longer be paid. */
export function describeClosedInvoice({ isDismissed }: Pick<LookedUpInvoice, 'isDismissed'>) {
  return isDismissed
    ? { title: 'Счёт отменён', text: 'Вы отменили этот счёт. Чтобы купить звёзды, выберите пакет снова.' }
    : {
        title: 'Срок оплаты истёк',
        text: 'Ссылка на оплату больше не действует. Выберите пакет снова, и мы откроем новый счёт.',
      };
}
