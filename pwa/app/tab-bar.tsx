import { NavLink } from 'react-router-dom';
import { fromSource } from '#pwa/lib/link-source.ts';
import { useChange, useOffered } from '#pwa/lib/tools.ts';
import { listTabs } from './navigation.ts';

/** The bottom navigation with at most five items, below 1024 px. */
export function TabBar() {
  return (
    <nav className="tabbar" aria-label="Разделы">
      {listTabs(useChange(), useOffered()).map(({ path, icon: Icon, shortLabel }) => (
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
