import { Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

export interface NoticeProps {
  tone: 'info' | 'warning' | 'danger';
  title?: string;
  children?: ReactNode;
  /** A button on the right; on phones below the text. */
  action?: ReactNode;
  className?: string;
}

const TONES = {
  info: { box: 'bg-info-soft', text: 'text-info', Icon: Info },
  warning: { box: 'bg-warning-soft', text: 'text-warning', Icon: TriangleAlert },
  danger: {
    box: 'bg-danger-soft shadow-[inset_0_0_0_1px_var(--color-danger)]',
    text: 'text-danger',
    Icon: OctagonAlert,
  },
};

/** A status block that stays on the page. Screen readers announce `danger` at once. */
export function Notice({ tone, title, children, action, className = '' }: NoticeProps) {
  const { box, text, Icon } = TONES[tone];
  return (
    <div
      className={`rounded-panel p-4 flex flex-wrap items-center gap-x-4 gap-y-3 ${box} ${className}`}
      role={tone === 'danger' ? 'alert' : undefined}
    >
      <div className="flex gap-3 flex-1 basis-64 min-w-0">
        <Icon className={`ic ${text}`} />
        <div className="min-w-0 text-sm">
          {title && <div className="font-semibold">{title}</div>}
          {children}
        </div>
      </div>
      {action}
    </div>
  );
}
