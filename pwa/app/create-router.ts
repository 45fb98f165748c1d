import { createBrowserRouter, matchRoutes } from 'react-router-dom';
import { createRouteObjects } from './route-objects.tsx';

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
