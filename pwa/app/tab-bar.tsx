import { NavLink } from 'react-router-dom';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { fromSource } from '#pwa/paths.ts';
import { listTabs } from './navigation.ts';
import { useNewsMarks } from './news-mark.tsx';

/** The bottom navigation with at most five items, below 1024 px. */
export function TabBar() {
  const findMark = useNewsMarks();
  return (
    <nav className="tabbar" aria-label="Разделы">
      {listTabs(useChange(), useOffered()).map(({ path, icon: Icon, shortLabel }) => {
        const { mark, descriptionId } = findMark(path);
        return (
          <NavLink
            key={path}
            to={path}
            state={fromSource('tab_bar')}
            className={({ isActive }) => (isActive ? 'on' : '')}
            aria-describedby={descriptionId}
          >
            <Icon className="ic" />
            {shortLabel}
            {mark}
          </NavLink>
        );
      })}
    </nav>
  );
}
