import { OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export interface ErrorViewProps {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
}

/** Replaces a page, or a part of one, that could not be shown. */
export function ErrorView({ title, text, action }: ErrorViewProps) {
  return (
    <div className="grid justify-items-center text-center px-5 py-16" role="alert">
      <OctagonAlert className="ic ic-l text-danger" />
      <h1 className="ptitle mt-4" tabIndex={-1}>
        {title}
      </h1>
      {text && <p className="text-muted mt-2 max-w-[46ch]">{text}</p>}
      {action && <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
