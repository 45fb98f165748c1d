import { EllipsisVertical, LogOut, Plus } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { ButtonLink } from '#pwa/components/button.tsx';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import { initials } from '#pwa/features/account/display-name.ts';
import { useLogout } from '#pwa/features/account/use-logout.ts';
import { BalanceBadge } from '#pwa/features/stars/balance-badge.tsx';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { BUY_STARS_PATH } from '#pwa/lib/paths.ts';
import { recordServerEvent } from '#pwa/lib/server-events.ts';
import { BUY_GENERATIONS } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** What the header offers to a signed-in person; below 768 px all but the balance is in a menu. */
export function HeaderAccount({ name }: { name: string }) {
  const navigate = useNavigate();
  const logout = useLogout(() => void navigate(PATHS.auth, { replace: true }));
  const { balance } = useStarBalance();
  const shownName = name || 'Пользователь';
  const logoutLabel = logout.isPending ? 'Выход...' : 'Выйти';
  const countClick = () => recordServerEvent({ event_name: 'buy_stars_click', source: 'header' });
  return (
    <>
      <BalanceBadge />
      <div className="dsk flex items-center gap-1">
        <ButtonLink to={BUY_STARS_PATH} size="sm" className="ml-2" onClick={countClick}>
          {BUY_GENERATIONS}
        </ButtonLink>
        <span className="vr" />
        <span className="navl hover:!bg-transparent" title={shownName}>
          <span
            className="grid place-items-center size-7 rounded-full bg-sunken text-2xs font-semibold"
            aria-hidden="true"
          >
            {initials(shownName)}
          </span>
          <span className="max-w-[140px] truncate max-lg:sr-only">{shownName}</span>
        </span>
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
        <MenuItem
          icon={<Plus className="ic" />}
          onSelect={() => {
            countClick();
            void navigate(BUY_STARS_PATH);
          }}
        >
          {BUY_GENERATIONS}
        </MenuItem>
        <MenuItem icon={<LogOut className="ic" />} disabled={logout.isPending} onSelect={() => logout.mutate()}>
          {logoutLabel}
        </MenuItem>
      </Menu>
    </>
  );
}
