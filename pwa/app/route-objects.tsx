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

/** The route table as route objects, for the browser and for the prerendering. */
export function createRouteObjects(): RouteObject[] {
  return [
    {
      Component: RootLayout,
      ErrorBoundary: ErrorPage,
      HydrateFallback: Spinner,
      children: [
        { Component: SiteLayout, children: pageRoutes('site') },
        // Lazy, because visitors do not need it.
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
          // The key gives each page its own guard, so that no state is carried over.
          <Guard key={path} access={access}>
            <Page />
          </Guard>
        ),
      };
    },
  }));
}

/**
 * Creates the browser's router. `hydrates`: the page is prerendered, so its code is loaded first. Otherwise the router
 * would remove the page until the code has come.
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
  // With hydration data the router keeps the scroll position that the person has reached before the code came.
  return createBrowserRouter(routes, hydrates ? { hydrationData: { loaderData: {} } } : undefined);
}
