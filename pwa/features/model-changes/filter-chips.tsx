import { buttonClass } from '#pwa/components/button.tsx';

export interface FilterChipsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what is filtered. */
  label: string;
  options: ReadonlyArray<{ value: Value; label: string }>;
}

/** A filter of a list, as a row of buttons that scrolls sideways when it is too long. */
export function FilterChips<Value extends string>({ value, onChange, label, options }: FilterChipsProps<Value>) {
  return (
    <fieldset className="flex gap-1 overflow-x-auto p-1 -m-1 min-w-0">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={buttonClass({ variant: option.value === value ? 'second' : 'quiet', size: 'sm' }, 'num flex-none')}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
