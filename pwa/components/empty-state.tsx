import type { ReactNode } from 'react';

export interface EmptyStateProps {
  /** An icon of class `ic ic-l`, or a picture. */
  picture?: ReactNode;
  title: string;
  text?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
}

/** Stands for an empty list: says what will be here and how to begin. */
export function EmptyState({ picture, title, text, action }: EmptyStateProps) {
  return (
    <div className="drop grid justify-items-center text-center px-5 py-10">
      {picture}
      <p className="font-semibold text-lg mt-3">{title}</p>
      {text && <p className="text-muted text-sm mt-1 max-w-[40ch]">{text}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
