import { NavLink } from 'react-router-dom';
import { TABS } from './navigation.ts';

/** The five tools at the bottom of the screen below 1024 px. */
export function TabBar() {
  return (
    <nav className="tabbar" aria-label="Разделы">
      {TABS.map(({ path, icon: Icon, shortLabel }) => (
        <NavLink key={path} to={path} className={({ isActive }) => (isActive ? 'on' : '')}>
          <Icon className="ic" />
          {shortLabel}
        </NavLink>
      ))}
    </nav>
  );
}
