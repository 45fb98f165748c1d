import { lazy, Suspense, useSyncExternalStore } from 'react';
import { ApiError } from '#pwa/lib/api-error.ts';

const ConfirmationDialog = lazy(() => import('./confirmation-dialog.tsx'));

interface Request {
  isSetUp: boolean;
  proceed: () => void;
}

let request: Request | null = null;
const listeners = new Set<() => void>();

/**
 * Asks the administrator to confirm the session if the server has refused something for want of that, and then goes on.
 * Returns whether it asks.
 */
export function askIfUnconfirmed(error: unknown, proceed: () => void): boolean {
  const code = error instanceof ApiError ? error.code : null;
  if (code !== 'second_factor_required' && code !== 'confirmation_required') return false;
  change({ isSetUp: code === 'confirmation_required', proceed });
  return true;
}

/** Shows the dialog over whatever has asked for it. Mount once in the panel. */
export function ConfirmationHost() {
  const current = useSyncExternalStore(
    subscribe,
    () => request,
    () => null,
  );
  if (!current) return null;
  const proceed = () => {
    change(null);
    current.proceed();
  };
  return (
    <Suspense>
      <ConfirmationDialog isSetUp={current.isSetUp} onConfirmed={proceed} onClose={() => change(null)} />
    </Suspense>
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: Request | null): void {
  request = next;
  for (const listener of listeners) listener();
}
