import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

/** An error message below a field. */
export function ErrorNote({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span className="errmsg" id={id}>
      <CircleAlert className="ic ic-s" />
      <span>{children}</span>
    </span>
  );
}
