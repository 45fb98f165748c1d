import { OctagonAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { keepWayBack } from '#pwa/features/generations/way-back.ts';
import { OtherResultPage } from '#pwa/features/payments/other-result-page.tsx';
import { PaymentExits } from '#pwa/features/payments/payment-exits.tsx';
import { PaymentResult } from '#pwa/features/payments/payment-result.tsx';
import type { PaymentReturn } from '#pwa/features/payments/payment-return.ts';
import { PAYMENT_TEXTS } from '#pwa/features/payments/payment-texts.ts';
import { HelpLine, UndecidedResult } from '#pwa/features/payments/undecided-result.tsx';
import { UnpaidResult } from '#pwa/features/payments/unpaid-result.tsx';
import { useInvoiceOutcome } from '#pwa/features/payments/use-invoice-outcome.ts';
import { usePaymentReturn } from '#pwa/features/payments/use-payment-return.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { nb } from '#pwa/format.ts';
import { BUY_STARS_PATH } from '#pwa/paths.ts';

const CAUSES = [
  'недостаточно средств на карте',
  'сбой в платёжной системе',
  'платёж отменён',
  'истекло время на оплату',
];

/** The page after a failed payment. Without an invoice in the address, only the failure is known. */
export default function PaymentFailPage() {
  const [query] = useSearchParams();
  const invoiceId = query.get('invoice');
  return invoiceId === null ? <FailedResult place={null} /> : <MissingPayment invoiceId={invoiceId} />;
}

/** Fetches the invoice anyway: it may be paid by now or still be waiting for payment. */
function MissingPayment({ invoiceId }: { invoiceId: string }) {
  const session = useSession();
  const userId = session.status === 'signed_in' ? session.userId : null;
  const { outcome, checkAgain } = useInvoiceOutcome(invoiceId);
  const place = usePaymentReturn(userId, invoiceId);
  switch (outcome.state) {
    case 'succeeded':
      return <OtherResultPage outcome={outcome} />;
    case 'unpaid':
      return <UnpaidResult invoice={outcome.invoice} place={place} />;
    case 'canceled':
      // Providers cancel invoices that nobody pays. This one was dismissed by the buyer before that.
      return outcome.invoice.isDismissed ? (
        <UnpaidResult invoice={outcome.invoice} place={place} />
      ) : (
        <FailedResult place={place} />
      );
    default:
      return <UndecidedResult state={outcome.state} place={place} onCheckAgain={checkAgain} />;
  }
}

function FailedResult({ place }: { place: PaymentReturn | null }) {
  useEffect(() => {
    toast({ title: PAYMENT_TEXTS.failed, description: PAYMENT_TEXTS.failedHint, tone: 'danger' });
  }, []);
  return (
    <PaymentResult
      icon={<OctagonAlert className="ic ic-l text-danger" />}
      title={PAYMENT_TEXTS.failed}
      actions={
        <>
          <ButtonLink size="lg" to={BUY_STARS_PATH} state={keepWayBack(place)}>
            Попробовать снова
          </ButtonLink>
          <PaymentExits place={place} isSecondary />
        </>
      }
    >
      <p className="text-muted mt-3 text-lg">{PAYMENT_TEXTS.failedHint}</p>
      <p className="mt-6 font-semibold">Возможные причины</p>
      <ul className="mt-2 list-disc pl-5 marker:text-subtle">
        {CAUSES.map((cause) => (
          <li key={cause} className="py-0.5">
            {nb(cause)}
          </li>
        ))}
      </ul>
      <HelpLine question="Деньги всё же списаны?" />
    </PaymentResult>
  );
}
