import type { ReactNode } from 'react';
import { RadioGroup, RadioOption } from './radio-group.tsx';

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
    <RadioGroup className={`seg ${className}`} label={label} isHorizontal value={value} onChange={onChange}>
      {options.map((option) => (
        <RadioOption
          key={option.value}
          value={option.value}
          disabled={option.disabled}
          className={option.value === value ? 'on' : ''}
        >
          {option.label}
        </RadioOption>
      ))}
    </RadioGroup>
  );
}
