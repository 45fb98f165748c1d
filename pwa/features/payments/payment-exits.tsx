import { ButtonLink } from '#pwa/components/button.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';
import type { PaymentReturn } from './payment-return.ts';
import { PAYMENT_TEXTS } from './payment-texts.ts';

/** The links of a payment result page: to the page where the person was, and to the main page. */
export function PaymentExits({ place, isSecondary = false }: { place: PaymentReturn | null; isSecondary?: boolean }) {
  return (
    <>
      {place && (
        <ButtonLink
          size="lg"
          variant={isSecondary ? 'second' : 'primary'}
          to={place.path}
          className="!whitespace-normal"
        >
          {place.label}
        </ButtonLink>
      )}
      <ButtonLink size="lg" variant={place || isSecondary ? 'second' : 'primary'} to={PATHS.app}>
        {PAYMENT_TEXTS.backToApp}
      </ButtonLink>
    </>
  );
}
