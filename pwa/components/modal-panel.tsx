import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type BackLayers, createBackLayers } from './back-layers.ts';
import { keepOpenForToasts } from './toaster.tsx';

export interface ModalPanelProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The style of the scrim between the page and the panel. */
  place: 'sheet' | 'left' | 'viewer';
  className: string;
  /** True when a RadixDialog.Description is among the children. */
  isDescribed?: boolean;
  /** Must contain a RadixDialog.Title. */
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

let sharedLayers: BackLayers | null = null;

/** The layers of the tab. They get the popstate event before the router. */
function getBackLayers(): BackLayers {
  if (sharedLayers) return sharedLayers;
  const layers = createBackLayers(history, () => location.href);
  const listen = (event: PopStateEvent) => {
    if (layers.handlePop()) event.stopImmediatePropagation();
  };
  addEventListener('popstate', listen, { capture: true });
  sharedLayers = layers;
  return layers;
}

/** While this is open, the Back button closes it. The topmost layer closes first. */
function useBackToClose(isOpen: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new key is the news that the router has moved.
  useEffect(() => getBackLayers().noteMove(), [key]);
  useEffect(() => (isOpen ? getBackLayers().open(() => latest.current()) : undefined), [isOpen]);
}

interface PanelFocus {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Manages the focus of a dialog or drawer without a Radix trigger. The focus starts on the panel itself, so that the
 * title is read out and no button looks selected, and returns to the element that had it before.
 */
function usePanelFocus(): PanelFocus {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus(event) {
      opener.current = document.activeElement;
      event.preventDefault();
      if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
    },
    onCloseAutoFocus(event) {
      event.preventDefault();
      const hadFocus = opener.current;
      if (hadFocus instanceof HTMLElement && hadFocus.isConnected && hadFocus !== document.body)
        return hadFocus.focus();
      // The opener, such as a menu item, is gone. The main element is the nearest one left.
      document.querySelector('main')?.focus({ preventScroll: true });
    },
  };
}
