import { OctagonAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

export interface PlateProblemProps {
  title: string;
  detail?: string | null | undefined;
  isRetrying?: boolean;
  onRetry: () => void;
  /** Where it stands over the picture or video. */
  className: string;
  /** What else helps, after the button. */
  children?: ReactNode;
}

/** Says why a picture or video does not show, in its place, with a button that loads it again. */
export function PlateProblem({ title, detail, isRetrying = false, onRetry, className, children }: PlateProblemProps) {
  return (
    <div className={`absolute rounded-panel bg-plate text-on-plate p-4 ${className}`} role="alert">
      <p className="flex gap-2 font-semibold">
        <OctagonAlert className="ic mt-0.5" />
        {title}
      </p>
      {detail && <p className="text-sm mt-1">{detail}</p>}
      <Button variant="plate" size="sm" className="mt-3" loading={isRetrying} onClick={onRetry}>
        Повторить
      </Button>
      {children}
    </div>
  );
}
