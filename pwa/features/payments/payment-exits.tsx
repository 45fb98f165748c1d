import { ButtonLink } from '#pwa/components/button.tsx';
import { withoutDownload } from '#pwa/features/generations/wanted-download.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { PaymentReturn } from './payment-return.ts';
import { PAYMENT_TEXTS } from './payment-texts.ts';

interface PaymentExitsProps {
  place: PaymentReturn | null;
  /**
   * Nothing was paid, as far as is known: another button comes first, and a download that had to be paid for is not
   * offered.
   */
  isSecondary?: boolean;
}

/** The links of a payment result page: to the page where the person was, and to the main page. */
export function PaymentExits({ place, isSecondary = false }: PaymentExitsProps) {
  const way = place && isSecondary ? withoutDownload(place) : place;
  return (
    <>
      {way && (
        <ButtonLink size="lg" variant={isSecondary ? 'second' : 'primary'} to={way.path} className="!whitespace-normal">
          {way.label}
        </ButtonLink>
      )}
      <ButtonLink size="lg" variant={place || isSecondary ? 'second' : 'primary'} to={PATHS.app}>
        {PAYMENT_TEXTS.backToApp}
      </ButtonLink>
    </>
  );
}
