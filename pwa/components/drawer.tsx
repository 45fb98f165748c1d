import { Dialog as RadixDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { ModalPanel } from './modal-panel.tsx';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Read out by screen readers, not shown. */
  title: string;
  children: ReactNode;
}

/** A panel at the left edge, 304 px wide and at most 84 % of the screen. */
export function Drawer({ open, onOpenChange, title, children }: DrawerProps) {
  return (
    <ModalPanel open={open} onOpenChange={onOpenChange} place="left" className="sheet-left">
      <RadixDialog.Title className="sr-only">{title}</RadixDialog.Title>
      {children}
    </ModalPanel>
  );
}
