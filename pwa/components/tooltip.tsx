import { HoverCard, Tooltip as RadixTooltip } from 'radix-ui';
import type { FocusEvent, ReactElement, ReactNode } from 'react';

export interface TooltipProps {
  text: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
  /** One focusable element. */
  children: ReactElement;
}

/** A short text on hover and on keyboard focus. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  return (
    <RadixTooltip.Provider delayDuration={400}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content className="tip" side={side} sideOffset={6}>
            {text}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}

export interface HoverPreviewProps {
  preview: ReactNode;
  children: ReactElement;
}

/** A larger preview, which opens after 700 ms and closes after 300 ms. Its content must also be available elsewhere. */
export function HoverPreview({ preview, children }: HoverPreviewProps) {
  return (
    <HoverCard.Root openDelay={700} closeDelay={300}>
      <HoverCard.Trigger asChild onFocus={ignorePointerFocus}>
        {children}
      </HoverCard.Trigger>
      <HoverCard.Portal>
        <HoverCard.Content className="pop p-2" side="right" sideOffset={8} collisionPadding={12}>
          {preview}
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}

/** Ignores focus by a click, which would start a second timer that is not stopped when the pointer leaves. */
function ignorePointerFocus(event: FocusEvent<HTMLElement>): void {
  if (!event.target.matches(':focus-visible')) event.preventDefault();
}
