import { Link, useLocation } from 'react-router-dom';
import { useChange, useOffered } from '#pwa/features/tools/tools.ts';
import { fromSource } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { listNavigation } from './navigation.ts';
import { useNewsMarks } from './news-mark.tsx';

/** The bottom navigation with at most five items, below 1024 px. */
export function TabBar() {
  const findMark = useNewsMarks();
  const { pathname } = useLocation();
  const items = listNavigation(useChange(), useOffered()).filter(({ shortLabel }) => shortLabel !== undefined);
  return (
    <nav className="tabbar" aria-label="Разделы">
      {items.map(({ path, icon: Icon, shortLabel }) => {
        const { mark, descriptionId } = findMark(path);
        const isCurrent = isInside(pathname, path);
        return (
          <Link
            key={path}
            to={path}
            state={fromSource('tab_bar')}
            className={isCurrent ? 'on' : ''}
            aria-current={isCurrent ? 'page' : undefined}
            aria-describedby={descriptionId}
          >
            <Icon className="ic" />
            {shortLabel}
            {mark}
          </Link>
        );
      })}
    </nav>
  );
}

/** Pages without an item of their own: they are beside the gallery. */
const BESIDE_GALLERY: readonly string[] = [PATHS.products, PATHS.batches];

/** Whether the page belongs to an item of the bar. */
function isInside(pathname: string, path: string): boolean {
  const own = BESIDE_GALLERY.includes(pathname) ? PATHS.gallery : pathname;
  return own === path || own.startsWith(`${path}/`);
}
