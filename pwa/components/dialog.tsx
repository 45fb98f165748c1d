import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type PointerEvent, type ReactNode, useRef } from 'react';
import { ModalPanel } from './modal-panel.tsx';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Actions that stay visible at the bottom while the rest scrolls, unless the window is too low for both. */
  footer?: ReactNode;
  /** Maximum width from 768 px up: 440, 612 or 720 px. */
  size?: 'sm' | 'md' | 'lg';
  /** A label above the title. */
  tag?: ReactNode;
  /** A picture along the left edge from 768 px up; the title is then smaller. */
  aside?: ReactNode;
  /** False while something runs that Escape or a press outside must not interrupt. */
  canClose?: boolean;
}

const WIDTHS = { sm: 'max-w-[440px]', md: 'max-w-[612px]', lg: 'max-w-[720px]' };

/** A modal from 768 px up, a bottom sheet below. Traps the focus and restores it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'md',
  tag,
  aside,
  canClose = true,
}: DialogProps) {
  const changeOpen = (next: boolean) => {
    if (next || canClose) onOpenChange(next);
  };
  return (
    <ModalPanel
      open={open}
      onOpenChange={changeOpen}
      place="sheet"
      className={`dlg ${WIDTHS[size]} ${aside ? 'md:pl-[260px]' : ''}`}
      isDescribed={Boolean(description)}
    >
      {aside && <div className="absolute inset-y-0 left-0 w-[260px] max-md:hidden">{aside}</div>}
      <SheetHandle onClose={() => changeOpen(false)} />
      <div className="p-5 md:p-7 max-md:pt-1">
        <RadixDialog.Close asChild>
          <button
            type="button"
            className="ibtn absolute right-3 top-3 max-md:hidden"
            aria-label="Закрыть"
            disabled={!canClose}
          >
            <X className="ic" />
          </button>
        </RadixDialog.Close>
        {tag}
        <RadixDialog.Title
          className={aside ? 'display text-[1.65rem] leading-8 mt-3 md:pr-4' : `ptitle md:pr-10 ${tag ? 'mt-2' : ''}`}
        >
          {title}
        </RadixDialog.Title>
        {description && (
          <RadixDialog.Description className="text-muted mt-1 md:pr-10">{description}</RadixDialog.Description>
        )}
        {children && <div className="mt-4">{children}</div>}
      </div>
      {footer && (
        <div className="sticky [@media(height<30rem)]:static bottom-0 bg-surface p-5 md:px-7 md:pb-7 pt-4 -mt-4 flex flex-col-reverse md:flex-row md:justify-end gap-2">
          {footer}
        </div>
      )}
    </ModalPanel>
  );
}

const CLOSE_AFTER_PX = 60;

/** The grab handle of a bottom sheet on phones: a tap or a pull downwards closes the sheet. */
function SheetHandle({ onClose }: { onClose: () => void }) {
  const startY = useRef<number | null>(null);
  const endDrag = (event: PointerEvent) => {
    if (startY.current !== null && event.clientY - startY.current > CLOSE_AFTER_PX) onClose();
    startY.current = null;
  };
  return (
    <button
      type="button"
      aria-label="Закрыть"
      className="md:hidden w-full h-11 grid place-items-start justify-items-center touch-none"
      onClick={onClose}
      onPointerDown={(event) => {
        startY.current = event.clientY;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerUp={endDrag}
    >
      <span className="grab" />
    </button>
  );
}
