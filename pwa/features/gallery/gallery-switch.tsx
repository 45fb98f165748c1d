import { NavLink } from 'react-router-dom';
import { fromSource } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const PAGES = [
  { path: PATHS.gallery, label: 'Результаты' },
  { path: PATHS.products, label: 'Товары' },
  { path: PATHS.batches, label: 'Партии' },
] as const;

/** Leads between results, products and batches, where the sidebar is a drawer. */
export function GallerySwitch() {
  return (
    <nav className="seg lg:hidden" aria-label="Результаты, товары и партии">
      {PAGES.map(({ path, label }) => (
        <NavLink
          key={path}
          to={path}
          state={fromSource('gallery_switch')}
          className={({ isActive }) => `no-underline ${isActive ? 'on' : ''}`}
        >
          {label}
        </NavLink>
      ))}
    </nav>
  );
}
