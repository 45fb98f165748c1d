import { NavLink } from 'react-router-dom';
import { fromSource } from '#pwa/paths.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const PAGES = [
  { path: PATHS.gallery, label: 'Результаты' },
  { path: PATHS.products, label: 'Товары' },
] as const;

/** Leads from the results to the products and back, where the sidebar is a drawer. */
export function GallerySwitch() {
  return (
    <nav className="seg lg:hidden" aria-label="Результаты и товары">
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
