import { EllipsisVertical, History, House, LogOut, Plus, Settings } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { BuyStarsButton } from '#pwa/components/buy-stars-button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { initials } from '#pwa/features/account/display-name.ts';
import { useLogout } from '#pwa/features/account/use-logout.ts';
import { BalanceBadge } from '#pwa/features/stars/balance-badge.tsx';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { openBuyStars } from '#pwa/lib/buy-stars.ts';
import { BUY_GENERATIONS, OPEN_APP, SETTINGS, STAR_HISTORY } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/**
 * The header's part for a signed-in person. Below 768 px everything but the balance is in a menu. `isInApp`: the page
 * already has the tools beside it.
 */
export function HeaderAccount({ name, isInApp }: { name: string; isInApp: boolean }) {
  const navigate = useNavigate();
  const logout = useLogout(() => void navigate(PATHS.auth, { replace: true }));
  const { balance } = useStarBalance();
  const shownName = name || 'Пользователь';
  const logoutLabel = logout.isPending ? 'Выход...' : 'Выйти';
  return (
    <>
      <BalanceBadge />
      <div className="dsk flex items-center gap-1">
        <BuyStarsButton source="header" size="sm" className="ml-2">
          {BUY_GENERATIONS}
        </BuyStarsButton>
        <span className="vr" />
        <Link className="navl" to={PATHS.settings} title={shownName}>
          <span
            className="grid place-items-center size-7 rounded-full bg-sunken text-2xs font-semibold"
            aria-hidden="true"
          >
            {initials(shownName)}
          </span>
          <span className="max-w-[140px] truncate max-lg:sr-only">{shownName}</span>
          <span className="sr-only">{`: ${SETTINGS}`}</span>
        </Link>
        <button type="button" className="navl" onClick={() => logout.mutate()} disabled={logout.isPending}>
          <LogOut className="ic ic-s" />
          {logoutLabel}
        </button>
      </div>
      <Menu
        trigger={
          <IconButton label="Меню пользователя" className="mob">
            <EllipsisVertical className="ic" />
          </IconButton>
        }
        header={
          <>
            <div className="font-semibold truncate">{shownName}</div>
            {balance !== undefined && <StarCount count={balance} withWord className="text-sm text-muted" />}
          </>
        }
      >
        {!isInApp && (
          <MenuItem icon={<House className="ic" />} onSelect={() => void navigate(PATHS.app)}>
            {OPEN_APP}
          </MenuItem>
        )}
        <MenuItem icon={<Plus className="ic" />} onSelect={() => openBuyStars({ source: 'header' })}>
          {BUY_GENERATIONS}
        </MenuItem>
        <MenuItem icon={<History className="ic" />} onSelect={() => void navigate(PATHS.stars)}>
          {STAR_HISTORY}
        </MenuItem>
        <MenuItem icon={<Settings className="ic" />} onSelect={() => void navigate(PATHS.settings)}>
          {SETTINGS}
        </MenuItem>
        <MenuItem icon={<LogOut className="ic" />} disabled={logout.isPending} onSelect={() => logout.mutate()}>
          {logoutLabel}
        </MenuItem>
      </Menu>
    </>
  );
}
