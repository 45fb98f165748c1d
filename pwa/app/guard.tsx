import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { ErrorView } from '#pwa/components/error-view.tsx';
import { Spinner } from '#pwa/components/spinner.tsx';
import { useSession } from '#pwa/features/session/use-session.ts';
import { type RouteAccess, resolveGuard } from './route-access.ts';

/**
 * Shows a route or redirects. Shows a spinner while it is unknown who is signed in, and a retry when the server has not
 * answered.
 */
export function Guard({ access, children }: { access: RouteAccess; children: ReactNode }) {
  const verdict = resolveGuard(access, useSession(), useLocation());
  if ('redirectTo' in verdict) return <Navigate to={verdict.redirectTo} replace />;
  if (verdict.show === 'page') return children;
  return verdict.show === 'spinner' ? <Spinner /> : <Unanswered />;
}

/** The page needs an account, and the server has not said which one is signed in. */
function Unanswered() {
  const queryClient = useQueryClient();
  const isAsking = useIsFetching({ queryKey: QUERY_KEYS.user }) > 0;
  return (
    <ErrorView
      title="Не удалось открыть аккаунт"
      text="Сервер не ответил, кто вошёл в этом браузере. Проверьте интернет и повторите: входить заново не нужно."
      action={
        <Button loading={isAsking} onClick={() => void queryClient.refetchQueries({ queryKey: QUERY_KEYS.user })}>
          Повторить
        </Button>
      }
    />
  );
}
