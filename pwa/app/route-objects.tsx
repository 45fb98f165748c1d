import { matchRoutes, Navigate, type RouteObject } from 'react-router-dom';
import type { RouteHandle } from '#pwa/features/session/route-handle.ts';
import { APP_REDIRECTS } from '#shared/rules/app-paths.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Guard } from './guard.tsx';
import { LoadFailure } from './load-failure.tsx';
import { RootLayout } from './root-layout.tsx';
import { needsAccount } from './route-access.ts';
import { NOT_FOUND_TITLE, type PageRoute, ROUTES } from './routes.ts';
import { SiteLayout } from './site-layout.tsx';

/** The route table as route objects, for the browser and for the prerendering. */
export function createRouteObjects(): RouteObject[] {
  return [
    {
      element: (
        <ErrorBoundary>
          <RootLayout />
        </ErrorBoundary>
      ),
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
              element: <LoadFailure />,
              lazy: async () => {
                const { default: NotFoundPage } = await import('#pwa/pages/not-found-page.tsx');
                return { element: <NotFoundPage /> };
              },
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
    // Until its code has come, and that is shown only if it does not come.
    element: <LoadFailure />,
    lazy: async () => {
      const { default: Page } = await load();
      return {
        element: (
          // The key gives each page its own guard, so that no state is carried over.
          <ErrorBoundary key={path}>
            <Guard access={access}>
              <Page />
            </Guard>
          </ErrorBoundary>
        ),
      };
    },
  }));
}

/** Whether the code of the page at this address has come, with that of its layout. */
export function isLoaded(routes: RouteObject[], pathname: string): boolean {
  return findRoutes(routes, pathname).every(({ lazy }) => lazy === undefined);
}

/** Loads the code of the page at this address. After a failure the next call tries again. */
export async function loadPage(routes: RouteObject[], pathname: string): Promise<void> {
  await Promise.all(
    findRoutes(routes, pathname).map(async (route) => {
      if (typeof route.lazy === 'function') Object.assign(route, await route.lazy(), { lazy: undefined });
    }),
  );
}

export function findHandle(routes: RouteObject[], pathname: string): RouteHandle | undefined {
  return findRoutes(routes, pathname).at(-1)?.handle;
}

function findRoutes(routes: RouteObject[], pathname: string): RouteObject[] {
  return (matchRoutes(routes, pathname) ?? []).map(({ route }) => route);
}
