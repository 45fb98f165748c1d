import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useLogout } from '#pwa/features/account/use-logout.ts';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { initials } from '#pwa/features/session/display-name.ts';
import { usePasswordDue } from '#pwa/features/session/use-session-marker.ts';
import { BalanceBadge } from '#pwa/features/stars/balance-badge.tsx';
import { BUY_GENERATIONS, SETTINGS } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { MenuButton } from './menu-button.tsx';

// Lazy, because only phones have it.
const AccountMenu = lazy(() => import('./account-menu.tsx'));

/**
 * The header's part for a signed-in person. Below 768 px everything but the balance is in a menu. `isInApp`: the page
 * already has the tools beside it.
 */
export function HeaderAccount({ name, isInApp }: { name: string; isInApp: boolean }) {
  const navigate = useNavigate();
  const logout = useLogout(() => void navigate(PATHS.auth, { replace: true }));
  const [isMenuWanted, setIsMenuWanted] = useState(false);
  const isPasswordDue = usePasswordDue();
  const shownName = name || 'Пользователь';
  const logoutLabel = logout.isPending ? 'Выход...' : 'Выйти';
  const logoutButton = (
    <button type="button" className="navl" onClick={() => logout.mutate()} disabled={logout.isPending}>
      <LogOut className="ic ic-s" />
      {logoutLabel}
    </button>
  );
  if (isPasswordDue) return logoutButton;
  return (
    <>
      <BalanceBadge />
      <div className="dsk flex items-center gap-1">
        {/* Not the primary button: each page has one of its own. */}
        <BuyStarsButton source="header" variant="second" size="sm" className="ml-2">
          {BUY_GENERATIONS}
        </BuyStarsButton>
        <span className="vr max-lg:hidden" />
        <Link className="navl" to={PATHS.settings} title={shownName}>
          <span
            className="grid place-items-center size-7 rounded-full bg-sunken text-2xs font-semibold max-lg:hidden"
            aria-hidden="true"
          >
            {initials(shownName)}
          </span>
          <span className="max-w-[140px] max-lg:max-w-[84px] truncate">{shownName}</span>
          <span className="sr-only">{`: ${SETTINGS}`}</span>
        </Link>
        {logoutButton}
      </div>
      {/* The menu, where this was chosen, has closed. */}
      {logout.isPending ? (
        <span className="navl mob" role="status">
          {logoutLabel}
        </span>
      ) : isMenuWanted ? (
        <Suspense fallback={<MenuButton />}>
          <AccountMenu name={shownName} isInApp={isInApp} logoutLabel={logoutLabel} logout={logout} />
        </Suspense>
      ) : (
        <MenuButton aria-haspopup="menu" aria-expanded={false} onClick={() => setIsMenuWanted(true)} />
      )}
    </>
  );
}
