import { House, MessageCircle } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { BrandMark } from '#pwa/components/brand-mark.tsx';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { recordServerEvent } from '#pwa/features/consent/server-events.ts';
import { useSession } from '#pwa/features/session/use-session.ts';
import { HELP_LABEL, OPEN_APP } from '#pwa/messages.ts';
import { HELP_PATH, PATHS } from '#shared/rules/app-paths.ts';

// Lazy, because visitors do not need it.
const HeaderAccount = lazy(async () => ({ default: (await import('./header-account.tsx')).HeaderAccount }));

/** The header of every page. `menuButton` opens the drawer on pages that have one. */
export function Header({ menuButton }: { menuButton?: ReactNode }) {
  const session = useSession();
  const { pathname } = useLocation();
  const isSignedIn = session.status === 'signed_in';
  return (
    <header className={`hdr ${pathname === PATHS.landing ? 'over' : ''}`}>
      {menuButton}
      <Link className="logo" to={PATHS.landing} aria-label="Подиум, на главную">
        <BrandMark />
        {/* Beside the links there is no room for it on a phone. */}
        <span className={isSignedIn ? 'max-md:hidden' : ''}>Подиум</span>
      </Link>
      <nav className="dsk" aria-label="О сервисе">
        {isSignedIn && !menuButton && (
          <Link className="navl" to={PATHS.app}>
            <House className="ic ic-s" />
            <span className="max-lg:sr-only">{OPEN_APP}</span>
          </Link>
        )}
        <CasesLink />
        <a className="navl" href={HELP_PATH} target="_blank" rel="noopener">
          <MessageCircle className="ic ic-s" />
          <span className={isSignedIn ? 'max-lg:sr-only' : ''}>{HELP_LABEL}</span>
        </a>
      </nav>
      <span className="flex-1" />
      <CasesLink className="mob" />
      <a className="navl mob" href={HELP_PATH} target="_blank" rel="noopener">
        {HELP_LABEL}
      </a>
      {session.status === 'loading' && <LoadingAccount />}
      {(session.status === 'signed_out' || session.status === 'unanswered') && (
        <ButtonLink
          to={PATHS.auth}
          size="sm"
          // The pages have a primary action of their own.
          variant="second"
          className="for-visitors ml-auto"
        >
          Войти
        </ButtonLink>
      )}
      {session.status === 'signed_in' && (
        <Suspense fallback={<LoadingAccount />}>
          <HeaderAccount name={session.user?.username || session.name} isInApp={menuButton !== undefined} />
        </Suspense>
      )}
    </header>
  );
}

function CasesLink({ className = '' }: { className?: string }) {
  return (
    <Link
      className={`navl ${className}`}
      to={PATHS.cases}
      onClick={() => recordServerEvent({ event_name: 'cases_link_clicked' })}
    >
      Кейсы
    </Link>
  );
}

function LoadingAccount() {
  return (
    <Button size="sm" variant="second" disabled>
      Загрузка
    </Button>
  );
}
