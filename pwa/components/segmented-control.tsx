import { RadioGroup } from 'radix-ui';
import type { ReactNode } from 'react';

export interface SegmentedControlProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what is being chosen. */
  label: string;
  options: ReadonlyArray<{ value: Value; label: ReactNode; disabled?: boolean }>;
  className?: string;
}

/** A choice of one of a few values, side by side. It has radio semantics and arrow keys. */
export function SegmentedControl<Value extends string>({
  value,
  onChange,
  label,
  options,
  className = '',
}: SegmentedControlProps<Value>) {
  return (
    <RadioGroup.Root
      className={`seg ${className}`}
      aria-label={label}
      orientation="horizontal"
      value={value}
      onValueChange={(next) => onChange(next as Value)}
    >
      {options.map((option) => (
        <RadioGroup.Item
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={option.value === value ? 'on' : ''}
        >
          {option.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  );
}
