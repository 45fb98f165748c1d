import { type ClipboardEvent, type Ref, useId } from 'react';
import { FieldNote } from './field-note.tsx';
import { StitchProgress } from './stitch-progress.tsx';

export interface CodeInputProps {
  /** The letters and digits typed so far, in upper case. */
  value: string;
  onChange: (value: string) => void;
  /** Called when all cells are filled, by typing, pasting or autofill. */
  onComplete?: (value: string) => void;
  label: string;
  length?: number;
  error?: string | undefined;
  /** Marks the cells as wrong where a toast has said why. */
  isWrong?: boolean;
  hint?: string | null;
  disabled?: boolean;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Six cells drawn under one real input, so that paste, autofill and screen readers see a single field. */
export function CodeInput({
  value,
  onChange,
  onComplete,
  label,
  length = 6,
  error,
  isWrong = false,
  hint,
  disabled,
  autoFocus,
  ref,
}: CodeInputProps) {
  const noteId = useId();
  const cells = Array.from({ length }, (_, index) => value[index] ?? '');
  const next = Math.min(value.length, length - 1);
  const take = (code: string) => {
    onChange(code);
    if (code.length === length && code !== value) onComplete?.(code);
  };
  // A pasted code replaces the typed one. By default the browser would insert it at the cursor and cut off its end.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const code = readPastedCode(event.clipboardData.getData('text'), length);
    event.preventDefault();
    if (code !== '') take(code);
  };
  return (
    <div>
      <div className="code grid grid-cols-6 gap-2">
        {cells.map((character, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells are places, not items.
            key={index}
            aria-hidden="true"
            className={`cell input num !p-0 grid place-items-center !min-h-[60px] text-[1.6rem] font-semibold ${index === next ? 'is-next' : ''} ${error || isWrong ? 'err' : ''}`}
          >
            {character}
          </span>
        ))}
        <input
          ref={ref}
          value={value}
          onChange={(event) => take(cleanCode(event.target.value, length))}
          onPaste={paste}
          aria-label={label}
          aria-invalid={Boolean(error) || isWrong}
          aria-describedby={error || hint ? noteId : undefined}
          disabled={disabled}
          // biome-ignore lint/a11y/noAutofocus: the page has this one task.
          autoFocus={autoFocus}
          autoComplete="one-time-code"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          inputMode="text"
        />
      </div>
      <div className="mt-3 h-[3px]" aria-hidden="true">
        {value.length > 0 && !error && !isWrong && <StitchProgress value={value.length / length} still />}
      </div>
      <div aria-live="polite" className="mt-1">
        <FieldNote id={noteId} error={error} hint={hint} />
      </div>
    </div>
  );
}

/**
 * Finds the code in a pasted text, which may be the whole mail: the first word that looks like a code, else all letters
 * and digits.
 */
export function readPastedCode(text: string, length: number): string {
  const words = text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.find((word) => word.length === length && /^[A-Z0-9]+$/.test(word)) ?? cleanCode(text, length);
}

/** The letters and digits of a typed or pasted text in upper case, at most `length` of them. */
export function cleanCode(text: string, length: number): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, length);
}
