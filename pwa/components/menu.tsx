import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  /** Shown above the items and not selectable. */
  header?: ReactNode;
  defaultOpen?: boolean;
  children: ReactNode;
}

/** A dropdown menu, aligned with the right edge of its button. */
export function Menu({ trigger, header, defaultOpen, children }: MenuProps) {
  return (
    // Not modal: a modal menu injects a style element, which the security policy refuses.
    <DropdownMenu.Root modal={false} defaultOpen={defaultOpen}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      {/* Without a portal: at the end of the body it would be outside of every landmark. */}
      <DropdownMenu.Content className="pop w-[248px]" align="end" sideOffset={4} collisionPadding={8}>
        {header && <div className="px-4 py-3 border-b border-line">{header}</div>}
        <div className="p-1.5">{children}</div>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  icon?: ReactNode;
  disabled?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon, disabled, onSelect, children }: MenuItemProps) {
  return (
    <DropdownMenu.Item className="menu-item" disabled={disabled} onSelect={onSelect}>
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}
