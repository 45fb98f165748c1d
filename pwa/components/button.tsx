import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { StarIcon } from './star-icon.tsx';

interface ButtonLook {
  /** primary: ink, one per view. second: outlined. quiet: bare. plate: over pictures. */
  variant?: 'primary' | 'second' | 'quiet' | 'plate';
  size?: 'sm' | 'md' | 'lg';
  /** Fills the width of its container. */
  wide?: boolean;
  /** An icon before the label, 20 px. */
  icon?: ReactNode;
  /** Price in stars, shown after the label. */
  price?: number;
}

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, ButtonLook {
  disabled?: boolean;
  /** Disables the button and shows the reason in place of the label («Сначала загрузите фото»). */
  disabledReason?: string | null;
  /** Shows a stitch along the bottom edge and ignores clicks; `loadingText` replaces the label («Создаём видео…»). */
  loading?: boolean;
  loadingText?: string;
}

export function Button({
  variant,
  size,
  wide,
  icon,
  price,
  disabled = false,
  disabledReason,
  loading = false,
  loadingText,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isDisabled = disabled || Boolean(disabledReason);
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, wide }, loading && 'is-loading', className)}
      disabled={isDisabled && !loading}
      // A loading button stays focusable: removing focus would throw keyboard users to the top of the page.
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? (event) => event.preventDefault() : onClick}
    >
      {loading ? (loadingText ?? children) : disabledReason || <Label icon={icon} price={price} label={children} />}
    </button>
  );
}

export interface ButtonLinkProps extends ComponentProps<typeof Link>, ButtonLook {}

/** A link of the application that looks like a button. */
export function ButtonLink({ variant, size, wide, icon, price, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide }, className)}>
      <Label icon={icon} price={price} label={children} />
    </Link>
  );
}

/** Classes of a button, for elements that cannot be a Button (an external link, a label of a file input). */
export function buttonClass(
  { variant = 'primary', size = 'md', wide = false }: Pick<ButtonLook, 'variant' | 'size' | 'wide'>,
  ...more: Array<string | false | null | undefined>
): string {
  return ['btn', variant, size !== 'md' && size, wide && 'wide', ...more].filter(Boolean).join(' ');
}

function Label({ icon, price, label }: { icon: ReactNode; price: number | undefined; label: ReactNode }) {
  return (
    <>
      {icon}
      {label}
      {price !== undefined && (
        <span className="num inline-flex items-center gap-1.5">
          <StarIcon />
          {price}
        </span>
      )}
    </>
  );
}
