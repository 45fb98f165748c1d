import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { PackDialogProps } from './pack-dialog.tsx';

const PackDialog = lazy(async () => ({ default: (await import('./pack-dialog.tsx')).PackDialog }));

/** The dialog of packs, whose code is fetched when it opens. */
export function LazyPackDialog(props: PackDialogProps) {
  return (
    <Suspense>
      <PackDialog {...props} />
    </Suspense>
  );
}

/** Says that the page shows the packs of what it is about. So the way back from a payment leads to them. */
const PACKS_PARAMETER = 'packs';

/** Whether the address asks for the packs, and its setter. */
export function usePacksInAddress(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [parameters, setParameters] = useSearchParams();
  const setOpen = (isOpen: boolean) => setParameters((now) => askForPacks(now, isOpen), { replace: !isOpen });
  return [parameters.has(PACKS_PARAMETER), setOpen];
}

/** Changes the query of an address so that it asks for the packs, or no more. */
export function askForPacks(query: URLSearchParams, isAsked: boolean): URLSearchParams {
  if (isAsked) query.set(PACKS_PARAMETER, '1');
  else query.delete(PACKS_PARAMETER);
  return query;
}
