import { lazy, Suspense } from 'react';
import { ApiError } from '#pwa/client/api-error.ts';
import { createStore, useStore } from '#pwa/device/store.ts';

const ConfirmationDialog = lazy(() => import('./confirmation-dialog.tsx'));

interface Request {
  isSetUp: boolean;
  proceed: () => void;
}

const request = createStore<Request | null>(null);

/**
 * Asks the administrator to confirm the session if the server has refused something for want of that, and then goes on.
 * Returns whether it asks.
 */
export function askIfUnconfirmed(error: unknown, proceed: () => void): boolean {
  const code = error instanceof ApiError ? error.code : null;
  if (code !== 'second_factor_required' && code !== 'confirmation_required') return false;
  request.set({ isSetUp: code === 'confirmation_required', proceed });
  return true;
}

/** Shows the dialog over whatever has asked for it. Mount once in the panel. */
export function ConfirmationHost() {
  const current = useStore(request);
  if (!current) return null;
  const proceed = () => {
    request.set(null);
    current.proceed();
  };
  return (
    <Suspense>
      <ConfirmationDialog isSetUp={current.isSetUp} onConfirmed={proceed} onClose={() => request.set(null)} />
    </Suspense>
  );
}
