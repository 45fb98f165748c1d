import { lazy, Suspense } from 'react';
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
