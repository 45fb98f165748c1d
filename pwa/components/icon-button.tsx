import type { ComponentProps } from 'react';

export interface IconButtonProps extends ComponentProps<'button'> {
  /** Read out by screen readers and shown as the native tooltip. */
  label: string;
}

/** A 44 px square button with only an icon inside. */
export function IconButton({ label, className = '', type = 'button', children, ...rest }: IconButtonProps) {
  return (
    <button {...rest} type={type} className={`ibtn ${className}`} aria-label={label} title={label}>
      {children}
    </button>
  );
}
