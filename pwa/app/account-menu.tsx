import { History, House, LogOut, Plus, Settings } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { Menu, MenuItem } from '#pwa/components/menu.tsx';
import { StarCount } from '#pwa/components/star-count.tsx';
import type { useLogout } from '#pwa/features/account/use-logout.ts';
import { openBuyStars } from '#pwa/features/generations/buy-stars.ts';
import { useStarBalance } from '#pwa/features/stars/use-star-balance.ts';
import { BUY_GENERATIONS, OPEN_APP, SETTINGS, STAR_HISTORY } from '#pwa/messages.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { MenuButton } from './menu-button.tsx';

export interface AccountMenuProps {
  name: string;
  /** The page already has the tools beside it. */
  isInApp: boolean;
  logout: ReturnType<typeof useLogout>;
  logoutLabel: string;
}

/** The menu of the signed-in person, below 768 px. It is open at first, because its code comes when it is asked for. */
export default function AccountMenu({ name, isInApp, logout, logoutLabel }: AccountMenuProps) {
  const navigate = useNavigate();
  const { balance } = useStarBalance();
  return (
    <Menu
      defaultOpen
      trigger={<MenuButton />}
      header={
        <>
          <div className="font-semibold truncate">{name}</div>
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
  );
}
