import { Link } from 'react-router-dom';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Why the registration failed; for an address that has an account, with the ways into it. */
export function RegisterError({ error, onSignIn }: { error: Error; onSignIn: () => void }) {
  if (!(error instanceof ApiError && error.code === 'email_taken')) {
    return <ErrorNote>{describeError(error, 'Ошибка при регистрации')}</ErrorNote>;
  }
  return (
    <ErrorNote>
      Этот email уже зарегистрирован.{' '}
      <button type="button" className="link" onClick={onSignIn}>
        Войдите
      </button>{' '}
      или{' '}
      <Link to={PATHS.passwordReset} className="link">
        восстановите пароль
      </Link>
    </ErrorNote>
  );
}
