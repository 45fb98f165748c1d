import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice, type NoticeProps } from './notice.tsx';

export interface RetryNoticeProps {
  title: string;
  onRetry: () => void;
  isRetrying?: boolean;
  /** `danger` when nothing else is shown, `warning` beside other content. */
  tone?: NoticeProps['tone'];
  className?: string;
  children?: ReactNode;
}

/** Says that something could not be loaded, with a button that loads it again. */
export function RetryNotice({
  title,
  onRetry,
  isRetrying = false,
  tone = 'danger',
  className,
  children,
}: RetryNoticeProps) {
  return (
    <Notice
      tone={tone}
      title={title}
      {...(className ? { className } : {})}
      action={
        <Button variant="second" size="sm" loading={isRetrying} onClick={onRetry}>
          Повторить
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
