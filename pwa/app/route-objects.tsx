import { createBrowserRouter, matchRoutes, Navigate, type RouteObject } from 'react-router-dom';
import { Spinner } from '#pwa/components/spinner.tsx';
import type { RouteHandle } from '#pwa/lib/route-handle.ts';
import { APP_REDIRECTS } from '#shared/rules/app-paths.ts';
import { ErrorPage } from './error-page.tsx';
import { Guard } from './guard.tsx';
import { RootLayout } from './root-layout.tsx';
import { needsAccount } from './route-access.ts';
import { NOT_FOUND_TITLE, type PageRoute, ROUTES } from './routes.ts';
import { SiteLayout } from './site-layout.tsx';

/** The route table as the router takes it, in the browser as in the prerendering. */
export function createRouteObjects(): RouteObject[] {
  return [
    {
      Component: RootLayout,
      ErrorBoundary: ErrorPage,
      HydrateFallback: Spinner,
      children: [
        { Component: SiteLayout, children: pageRoutes('site') },
        // Visitors do without it.
        {
          lazy: async () => ({ Component: (await import('./app-layout.tsx')).AppLayout }),
          children: pageRoutes('app'),
        },
        ...Object.entries(APP_REDIRECTS).map(([path, to]) => ({ path, element: <Navigate to={to} replace /> })),
        {
          Component: SiteLayout,
          children: [
            {
              path: '*',
              handle: { title: NOT_FOUND_TITLE } satisfies RouteHandle,
              lazy: async () => ({ Component: (await import('#pwa/pages/not-found-page.tsx')).default }),
            },
          ],
        },
      ],
    },
  ];
}

function pageRoutes(layout: PageRoute['layout']): RouteObject[] {
  return ROUTES.filter((route) => route.layout === layout).map(({ path, title, access, load }) => ({
    path,
    handle: { title, needsAccount: needsAccount(access) } satisfies RouteHandle,
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

/**
 * The browser's router. `hydrates`: the page is there already, prerendered, so its code is loaded first; otherwise the
 * router would take the page away until it has come.
 */
export async function createRouter({ hydrates }: { hydrates: boolean }) {
  const routes = createRouteObjects();
  if (hydrates) {
    const matches = matchRoutes(routes, location.pathname) ?? [];
    await Promise.all(
      matches.map(async ({ route }) => {
        if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
      }),
    );
  }
  // Said to be hydrating, the router leaves the window where it was scrolled to before the code came.
  return createBrowserRouter(routes, hydrates ? { hydrationData: { loaderData: {} } } : undefined);
}
