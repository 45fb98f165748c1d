import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { RadioOption, useIsChosen } from './radio-group.tsx';

export interface OptionCardProps {
  value: string;
  disabled?: boolean;
  /** Read out by screen readers instead of the content. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** A card in a RadioGroup. */
export function OptionCard({ value, disabled, label, className = '', children }: OptionCardProps) {
  const isChosen = useIsChosen(value);
  return (
    <RadioOption
      value={value}
      disabled={disabled}
      aria-label={label}
      className={`opt overflow-hidden data-[state=checked]:shadow-[inset_0_0_0_2px_var(--color-ink)] disabled:cursor-not-allowed ${className}`}
    >
      {isChosen && (
        <span className="tick !size-5 !right-1.5 !top-1.5">
          <Check className="ic ic-s !size-3" />
        </span>
      )}
      {children}
    </RadioOption>
  );
}
