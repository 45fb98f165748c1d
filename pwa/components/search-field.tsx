import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from './icon-button.tsx';

export interface SearchFieldProps {
  value: string;
  onChange: (text: string) => void;
  onClear: () => void;
  /** Read out by screen readers: what is searched. */
  label: string;
  placeholder: string;
  maxLength: number;
  /** Whether it takes the focus when it comes. */
  takesFocus?: boolean;
  className?: string;
}

/** A field for words to look for. Escape and the cross empty it. */
export function SearchField({
  value,
  onChange,
  onClear,
  label,
  placeholder,
  maxLength,
  takesFocus = false,
  className = '',
}: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  return (
    <search className={`relative block ${className}`}>
      <Search className="ic ic-s absolute left-3.5 top-1/2 -translate-y-1/2 text-muted pointer-events-none" />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        className="input !pl-10 !pr-11"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') onClear();
          // On a phone the keyboard goes away and the results come into view.
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {value !== '' && (
        <IconButton
          label="Очистить поиск"
          className="absolute right-0.5 top-0.5"
          onClick={() => {
            onClear();
            field.current?.focus();
          }}
        >
          <X className="ic ic-s" />
        </IconButton>
      )}
    </search>
  );
}
