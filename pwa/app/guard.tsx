import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Spinner } from '#pwa/components/spinner.tsx';
import { useSession } from '#pwa/features/account/use-session.ts';
import { type RouteAccess, resolveGuard } from './route-access.ts';

/** Shows a route, a spinner while it is unknown who is signed in, or leads elsewhere. */
export function Guard({ access, children }: { access: RouteAccess; children: ReactNode }) {
  const verdict = resolveGuard(access, useSession(), useLocation());
  if ('redirectTo' in verdict) return <Navigate to={verdict.redirectTo} replace />;
  return verdict.show === 'spinner' ? <Spinner /> : children;
}
