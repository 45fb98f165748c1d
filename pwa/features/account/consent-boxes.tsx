import type { UseFormRegisterReturn } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { PATHS } from '#shared/rules/app-paths.ts';

export interface ConsentBoxesProps {
  acceptPolicy: UseFormRegisterReturn;
  acceptDataProcessing: UseFormRegisterReturn;
  errors: { acceptPolicy?: { message?: string }; acceptDataProcessing?: { message?: string } };
  /** Whether the consent names the transfer of photos abroad. */
  namesAbroad: boolean;
}

/** The two consents. Each has a box of its own. */
export function ConsentBoxes({ acceptPolicy, acceptDataProcessing, errors, namesAbroad }: ConsentBoxesProps) {
  return (
    <div>
      <Checkbox error={errors.acceptPolicy?.message} {...acceptPolicy}>
        Мне есть 18&nbsp;лет, я&nbsp;принимаю{' '}
        <LegalLink to={PATHS.privacyPolicy}>политику конфиденциальности</LegalLink> и&nbsp;
        <LegalLink to={PATHS.termsOfService}>условия</LegalLink>
      </Checkbox>
      <Checkbox error={errors.acceptDataProcessing?.message} {...acceptDataProcessing}>
        Даю <LegalLink to={PATHS.personalDataConsent}>согласие на&nbsp;обработку персональных данных</LegalLink>
        {namesAbroad && ', в\u00a0том числе на\u00a0передачу фото за\u00a0границу'}
      </Checkbox>
    </div>
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
