import { HoverCard } from 'radix-ui';
import type { FocusEvent, ReactElement, ReactNode } from 'react';

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
