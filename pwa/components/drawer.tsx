import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { ModalPanel } from './modal-panel.tsx';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out; not shown. */
  title: string;
  children: ReactNode;
}

/** A panel from the left edge, 304 px and at most 84 % of the screen. */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  return (
    <ModalPanel open={open} onOpenChange={onOpenChange} place="left" className="sheet-left">
      <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
      {children}
    </ModalPanel>
  );
}
