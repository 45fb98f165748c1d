import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { keepOpenForToasts } from './toaster.tsx';
import { useBackToClose } from './use-back-to-close.ts';
import { usePanelFocus } from './use-panel-focus.ts';

export interface ModalPanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Of the layer between the page and the panel. */
  place: 'sheet' | 'left' | 'viewer';
  className: string;
  /** True when a RadixDialog.Description is among the children. */
  isDescribed?: boolean;
  /** With a RadixDialog.Title. */
  children: ReactNode;
}

/** A panel over the page, closed by Escape, a press outside, or the Back button. Traps the focus and restores it. */
export function ModalPanel({ open, onOpenChange, place, className, isDescribed = false, children }: ModalPanelProps) {
  const focus = usePanelFocus();
  useBackToClose(open, () => onOpenChange(false));
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        {/* Not RadixDialog.Overlay: it injects a style element, which the security policy refuses. */}
        <div className={`scrim ${place}`} data-state={open ? 'open' : 'closed'}>
          <RadixDialog.Content
            className={className}
            {...(isDescribed ? {} : { 'aria-describedby': undefined })}
            onInteractOutside={keepOpenForToasts}
            {...focus}
          >
            {children}
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
