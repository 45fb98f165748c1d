import { OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortId } from '#shared/rules/short-id.ts';

export interface ProblemCardProps {
  tone?: 'danger' | 'warning';
  title: string;
  text: string;
  /** The generation's id, for the support. */
  generationId?: string;
  children: ReactNode;
}

/** A card over the photo that says why there is no result. */
export function ProblemCard({ tone = 'danger', title, text, generationId, children }: ProblemCardProps) {
  const isWarning = tone === 'warning';
  const Icon = isWarning ? TriangleAlert : OctagonAlert;
  return (
    <div className={`rounded-panel p-4 text-ink ${isWarning ? 'bg-warning-soft' : 'bg-danger-soft'}`} role="alert">
      <p className={`flex gap-2 font-semibold ${isWarning ? 'text-warning' : 'text-danger'}`}>
        <Icon className="ic mt-0.5" />
        {title}
      </p>
      <p className="text-sm mt-1">{text}</p>
      {generationId && <p className="num text-xs text-muted mt-1">{shortId(generationId)}</p>}
      <div className="flex flex-wrap gap-2 mt-3">{children}</div>
    </div>
  );
}
