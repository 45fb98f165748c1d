import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { keepOpenForToasts } from './toaster.tsx';
import { usePanelFocus } from './use-panel-focus.ts';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out; not shown. */
  title: string;
  children: ReactNode;
}

/** A panel from the left edge, 304 px and at most 84 % of the screen. */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  const focus = usePanelFocus();
  return (
    <RadixDialog.Root open={open} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        {/* Not RadixDialog.Overlay: see dialog.tsx. */}
        <div className="scrim left" data-state={open ? 'open' : 'closed'}>
          <RadixDialog.Content
            className="sheet-left"
            aria-describedby={undefined}
            onInteractOutside={keepOpenForToasts}
            {...focus}
          >
            <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
            {children}
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
