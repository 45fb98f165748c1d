import type { Session } from '#pwa/features/session/use-session.ts';
import { buildAuthPath, readNextPath } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/**
 * Who a route is for:
 * - public: anybody.
 * - landing: visitors. Signed-in people are redirected to the app.
 * - sign_in: visitors. Signed-in people are redirected to where they were going.
 * - signed_in: accounts.
 * - unverified: accounts that have not confirmed their e-mail yet.
 */
export type RouteAccess = 'public' | 'landing' | 'sign_in' | 'signed_in' | 'unverified';

export type GuardVerdict = { show: 'page' } | { show: 'spinner' } | { show: 'retry' } | { redirectTo: string };

interface Place {
  pathname: string;
  search: string;
}

const PAGE: GuardVerdict = { show: 'page' };

/** Whether a route shows nothing to visitors. */
export function needsAccount(access: RouteAccess): boolean {
  return access === 'signed_in' || access === 'unverified';
}

/** Decides whether a route is shown. Without a network the user is unknown, which redirects nobody. */
export function resolveGuard(access: RouteAccess, session: Session, place: Place): GuardVerdict {
  if (access === 'public') return PAGE;
  if (session.status === 'loading') return { show: 'spinner' };
  if (session.status === 'unanswered') return needsAccount(access) ? { show: 'retry' } : PAGE;

  const next = readNextPath(place.search);
  const isUnverified = session.status === 'signed_in' && session.user?.isEmailVerified === false;
  switch (access) {
    case 'landing':
      return session.status === 'signed_in' ? { redirectTo: PATHS.app } : PAGE;
    case 'sign_in':
      if (session.status === 'signed_out') return PAGE;
      return { redirectTo: isUnverified ? withNext(PATHS.verifyEmail, next) : (next ?? PATHS.app) };
    case 'signed_in':
      return session.status === 'signed_in' ? PAGE : { redirectTo: toAuth(session.leftByChoice, place) };
    case 'unverified':
      if (session.status === 'signed_out') return { redirectTo: withNext(PATHS.auth, next) };
      return isUnverified || !session.user ? PAGE : { redirectTo: next ?? PATHS.app };
  }
}

function toAuth(leftByChoice: boolean, { pathname, search }: Place): string {
  return leftByChoice ? PATHS.auth : buildAuthPath(pathname + search);
}

function withNext(path: string, next: string | null): string {
  return next ? `${path}?${new URLSearchParams({ next })}` : path;
}
