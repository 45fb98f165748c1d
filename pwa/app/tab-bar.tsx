import { NavLink } from 'react-router-dom';
import { fromSource } from '#pwa/lib/link-source.ts';
import { useChange } from '#pwa/lib/tools.ts';
import { listTabs } from './navigation.ts';

/** The bottom navigation with five items, below 1024 px. */
export function TabBar() {
  return (
    <nav className="tabbar" aria-label="Разделы">
      {listTabs(useChange()).map(({ path, icon: Icon, shortLabel }) => (
        <NavLink
          key={path}
          to={path}
          state={fromSource('tab_bar')}
          className={({ isActive }) => (isActive ? 'on' : '')}
        >
          <Icon className="ic" />
          {shortLabel}
        </NavLink>
      ))}
    </nav>
  );
}
