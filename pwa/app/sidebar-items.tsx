import { Link, useLocation } from 'react-router-dom';
import { Tooltip } from '#pwa/components/tooltip.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { fromSource } from '#pwa/paths.ts';
import { listNavigation } from './navigation.ts';
import { useNewsMarks } from './news-mark.tsx';

export interface SidebarItemsProps {
  /** Shows only icons, with their names in tooltips. */
  isCollapsed?: boolean;
  onNavigate?: () => void;
}

export function SidebarItems({ isCollapsed = false, onNavigate }: SidebarItemsProps) {
  const isAdmin = useUser()?.isAdmin ?? false;
  const { pathname } = useLocation();
  const findMark = useNewsMarks();
  const items = listNavigation(useChange(), useOffered()).filter((item) => !item.isForAdmins || isAdmin);
  return items.map(({ path, icon: Icon, label, isSoon }) => {
    const isCurrent = pathname === path;
    const { mark, descriptionId } = findMark(path);
    const link = (
      <Link
        key={path}
        to={path}
        state={fromSource('sidebar')}
        onClick={onNavigate}
        className={`it ${isCurrent ? 'on' : ''} ${isCollapsed ? '!w-12 !px-0 justify-center' : ''}`}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={isCollapsed ? label : undefined}
        aria-describedby={descriptionId}
      >
        <Icon className="ic" />
        {!isCollapsed && (
          <span>
            {label}
            {isSoon && <span className="block text-2xs text-subtle font-normal">Скоро</span>}
          </span>
        )}
        {mark}
      </Link>
    );
    if (!isCollapsed) return link;
    return (
      <Tooltip key={path} text={isSoon ? `${label}, скоро` : label} side="right">
        {link}
      </Tooltip>
    );
  });
}
