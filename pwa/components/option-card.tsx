import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { RadioGroup, RadioOption, useIsChosen } from './radio-group.tsx';

export interface OptionCardGroupProps<Value extends string> {
  /** Null while nothing is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what is being chosen. */
  label: string;
  /** Layout of the cards, usually a grid. */
  className?: string;
  children: ReactNode;
}

/** Cards of which one can be chosen. It has radio semantics, with arrow keys in both directions. */
export function OptionCardGroup<Value extends string>({
  value,
  onChange,
  label,
  className = '',
  children,
}: OptionCardGroupProps<Value>) {
  return (
    <RadioGroup className={className} label={label} value={value} onChange={(next) => onChange(next as Value)}>
      {children}
    </RadioGroup>
  );
}

export interface OptionCardProps {
  value: string;
  disabled?: boolean;
  /** Read out by screen readers instead of the content. */
  label?: string;
  className?: string;
  children: ReactNode;
}

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
