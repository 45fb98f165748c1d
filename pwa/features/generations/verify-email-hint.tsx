import { Link } from 'react-router-dom';
import { nb } from '#pwa/format.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** A hint under a start button: the e-mail must be confirmed first. */
export function VerifyEmailHint({ className = '' }: { className?: string }) {
  return (
    <p className={`text-sm text-muted mt-2 ${className}`}>
      {nb('Генерация доступна после подтверждения email. ')}
      <Link className="link" to={PATHS.verifyEmail}>
        Подтвердить email
      </Link>
    </p>
  );
}
