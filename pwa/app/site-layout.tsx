import { Outlet } from 'react-router-dom';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { MAIN_ID } from './root-layout.tsx';

/** The layout of public pages: header and footer. */
export function SiteLayout() {
  return (
    <>
      <Header />
      <main id={MAIN_ID} tabIndex={-1} className="min-h-[calc(100dvh-var(--header-h))]">
        <Outlet />
      </main>
      <Footer className="px-5 md:px-[6vw]" />
    </>
  );
}
