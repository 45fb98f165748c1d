import type { UseFormRegisterReturn } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';

export interface ConsentBoxesProps {
  acceptPolicy: UseFormRegisterReturn;
  acceptDataProcessing: UseFormRegisterReturn;
  errors: { acceptPolicy?: { message?: string }; acceptDataProcessing?: { message?: string } };
}

/** The two consents. Each has a box of its own. */
export function ConsentBoxes({ acceptPolicy, acceptDataProcessing, errors }: ConsentBoxesProps) {
  return (
    <div>
      <Checkbox error={errors.acceptPolicy?.message} {...acceptPolicy}>
        Мне есть 18&nbsp;лет, я&nbsp;принимаю{' '}
        <LegalLink to={PATHS.privacyPolicy}>политику конфиденциальности</LegalLink> и&nbsp;
        <LegalLink to={PATHS.termsOfService}>условия</LegalLink>
      </Checkbox>
      <Checkbox error={errors.acceptDataProcessing?.message} {...acceptDataProcessing}>
        Даю <LegalLink to={PATHS.personalDataConsent}>согласие на&nbsp;обработку персональных данных</LegalLink>
      </Checkbox>
    </div>
  );
}

/** The consent to the transfer of photos abroad. */
export function TransferBox({ box, error }: { box: UseFormRegisterReturn; error?: string | undefined }) {
  return (
    <Checkbox error={error} {...box}>
      Согласен на <LegalLink to={PATHS.photoTransferConsent}>передачу фото за&nbsp;границу</LegalLink>
    </Checkbox>
  );
}

/** Opens in a new tab, so that the filled form is not lost. */
function LegalLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} target="_blank" className="link">
      {children}
    </Link>
  );
}
