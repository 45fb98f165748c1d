import { memo, startTransition, useEffect, useState } from 'react';
import { type Location, type RouteObject, useLocation, useNavigate, useRoutes } from 'react-router-dom';
import { Spinner } from '#pwa/components/spinner.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { subscribeOpenPath } from '#pwa/device/open-path.ts';
import { RouteHandleContext } from '#pwa/features/session/route-handle.ts';
import { LoadFailureContext } from './load-failure.tsx';
import { findHandle, isLoaded, loadPage } from './route-objects.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';

interface Shown {
  location: Location;
  /** Why the code of this page has not come. */
  error?: unknown;
}

/** Follows the address. A page stays until the code of the next one has come. */
export function Pages({ routes }: { routes: RouteObject[] }) {
  const location = useLocation();
  const navigate = useNavigate();
  const isCodeThere = isLoaded(routes, location.pathname);
  const [shown, setShown] = useState<Shown | null>(isCodeThere ? { location } : null);
  if (isCodeThere && shown?.location !== location) setShown({ location });
  useScrollRestoration(shown?.location);

  useEffect(() => {
    // As it was when this was drawn: code that has come since is shown below.
    if (isCodeThere) return;
    let isAwaited = true;
    const show = (next: Shown) => {
      if (isAwaited) startTransition(() => setShown(next));
    };
    loadPage(routes, location.pathname).then(
      () => show({ location }),
      (error: unknown) => show({ location, error }),
    );
    return () => {
      isAwaited = false;
    };
  }, [routes, location, isCodeThere]);

  useEffect(() => subscribeOpenPath((path) => void navigate(path)), [navigate]);

  if (!shown) return <Spinner />;
  return (
    <>
      <ShownPage routes={routes} shown={shown} />
      {shown.location !== location && <StitchProgress className="fixed inset-x-0 top-0 z-50" />}
    </>
  );
}

/** All inside sees the address of the shown page. Not drawn again while the next page is on its way. */
const ShownPage = memo(function ShownPage({ routes, shown }: { routes: RouteObject[]; shown: Shown }) {
  const page = useRoutes(routes, shown.location);
  return (
    <LoadFailureContext value={shown.error}>
      <RouteHandleContext value={findHandle(routes, shown.location.pathname)}>{page}</RouteHandleContext>
    </LoadFailureContext>
  );
});
