import type { ReactNode } from 'react';
import { ErrorNote } from './error-note.tsx';

/** What stands below an input and describes it: the error, or else the hint. */
export function FieldNote({
  id,
  error,
  hint,
}: {
  id: string;
  error?: string | undefined;
  hint?: ReactNode;
}): ReactNode {
  if (error) return <ErrorNote id={id}>{error}</ErrorNote>;
  if (!hint) return null;
  return (
    <span id={id} className="text-xs text-muted">
      {hint}
    </span>
  );
}
