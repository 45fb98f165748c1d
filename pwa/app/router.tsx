import { createBrowserRouter, Navigate, type RouteObject } from 'react-router-dom';
import { Spinner } from '#pwa/components/spinner.tsx';
import { APP_REDIRECTS } from '#shared/rules/app-paths.ts';
import { AppLayout } from './app-layout.tsx';
import { ErrorPage } from './error-page.tsx';
import { Guard } from './guard.tsx';
import { RootLayout } from './root-layout.tsx';
import { type PageRoute, ROUTES } from './routes.ts';
import { SiteLayout } from './site-layout.tsx';

export function createRouter() {
  return createBrowserRouter([
    {
      Component: RootLayout,
      ErrorBoundary: ErrorPage,
      HydrateFallback: Spinner,
      children: [
        { Component: SiteLayout, children: pageRoutes('site') },
        { Component: AppLayout, children: pageRoutes('app') },
        ...Object.entries(APP_REDIRECTS).map(([path, to]) => ({ path, element: <Navigate to={to} replace /> })),
        {
          Component: SiteLayout,
          children: [
            {
              path: '*',
              handle: { title: '404' },
              lazy: async () => ({ Component: (await import('#pwa/pages/not-found-page.tsx')).default }),
            },
          ],
        },
      ],
    },
  ]);
}

function pageRoutes(layout: PageRoute['layout']): RouteObject[] {
  return ROUTES.filter((route) => route.layout === layout).map(({ path, title, access, load }) => ({
    path,
    handle: { title },
    ErrorBoundary: ErrorPage,
    lazy: async () => {
      const { default: Page } = await load();
      return {
        element: (
          // The key gives each page a guard of its own, so that no state crosses over.
          <Guard key={path} access={access}>
            <Page />
          </Guard>
        ),
      };
    },
  }));
}
