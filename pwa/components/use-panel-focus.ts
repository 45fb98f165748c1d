import { useRef } from 'react';

export interface PanelFocus {
  onOpenAutoFocus: (event: Event) => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * Focus of a dialog or drawer that has no Radix trigger: it starts on the panel itself, so that the title is read and
 * no button looks chosen, and returns to the element that had it before.
 */
export function usePanelFocus(): PanelFocus {
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
      // Its opener, such as a menu, is gone: the page itself is the nearest element.
      document.querySelector('main')?.focus({ preventScroll: true });
    },
  };
}
