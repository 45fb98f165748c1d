import { Menu as MenuIcon } from 'lucide-react';
import { type CSSProperties, lazy, Suspense, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { IconButton } from '#pwa/components/icon-button.tsx';
import { DeletionBanner } from '#pwa/features/account/account-banners.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { usePasswordDue } from '#pwa/features/session/use-session-marker.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { MAIN_ID } from './root-layout.tsx';
import { Sidebar } from './sidebar.tsx';
import { TabBar } from './tab-bar.tsx';

const NewPassword = lazy(() => import('#pwa/features/account/new-password.tsx'));
const SidebarDrawer = lazy(() => import('./sidebar-drawer.tsx'));

/** Only these pages have a footer: they are not tools, and nothing is fixed to their bottom. */
const PAGES_WITH_FOOTER: readonly string[] = [PATHS.app, PATHS.settings];

/** The layout of the tools: header, sidebar (a drawer below 1024 px) and, on phones, the tab bar. */
export function AppLayout() {
  const [isCollapsed, setIsCollapsed] = useState(readSidebarCollapsed);
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [wasDrawerOpened, setWasDrawerOpened] = useState(false);
  const { pathname } = useLocation();
  const isPasswordDue = usePasswordDue();
  const openDrawer = () => {
    setWasDrawerOpened(true);
    setIsDrawerOpen(true);
  };
  const toggle = () => {
    saveSidebarCollapsed(!isCollapsed);
    setIsCollapsed(!isCollapsed);
  };
  if (isPasswordDue) return <PasswordDueLayout />;
  return (
    <>
      <Header
        menuButton={
          <IconButton label="Открыть меню" className="burger" onClick={openDrawer}>
            <MenuIcon className="ic" />
          </IconButton>
        }
      />
      <div
        className="shell"
        style={isCollapsed ? ({ '--sidebar-w': 'var(--sidebar-min)' } as CSSProperties) : undefined}
      >
        <Sidebar isCollapsed={isCollapsed} onToggle={toggle} />
        <main id={MAIN_ID} tabIndex={-1} className="main">
          <DeletionBanner />
          <Outlet />
          {PAGES_WITH_FOOTER.includes(pathname) && <Footer className="mt-16 !pb-0" />}
        </main>
      </div>
      <TabBar />
      <Suspense>{wasDrawerOpened && <SidebarDrawer open={isDrawerOpen} onOpenChange={setIsDrawerOpen} />}</Suspense>
    </>
  );
}

/** Without menus, which would lead to what is refused until there is a new password. */
function PasswordDueLayout() {
  const user = useUser();
  return (
    <>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className="px-5 py-10 md:py-24 flex justify-center">
        <Suspense>{user && <NewPassword user={user} />}</Suspense>
      </main>
    </>
  );
}

/** In localStorage, because the width must be right in the first frame. */
const SIDEBAR_KEY = 'podium.sidebarCollapsed';

function readSidebarCollapsed(): boolean {
  return localStorage.getItem(SIDEBAR_KEY) === '1';
}

function saveSidebarCollapsed(isCollapsed: boolean): void {
  if (isCollapsed) localStorage.setItem(SIDEBAR_KEY, '1');
  else localStorage.removeItem(SIDEBAR_KEY);
}
