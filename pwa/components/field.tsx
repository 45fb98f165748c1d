import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldNote } from './field-note.tsx';

export interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** The error message, shown below the input and linked to it. */
  error?: string | undefined;
  /** Marks the input as wrong where a toast has said why. */
  isWrong?: boolean;
  hint?: ReactNode;
  /** Shown inside the right end of the input. */
  action?: ReactNode;
}

/** Browsers turn the domain of a field for e-mails into its form in ASCII, so that пример.рф could not be read. */
const EMAIL_INPUT = { type: 'text', inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const;

/** A labelled text input. Spread react-hook-form's `register('name')` into it. */
export function Field({ label, error, isWrong = false, hint, action, id, type, className = '', ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  return (
    <div className={`field ${className}`}>
      <label htmlFor={inputId}>{label}</label>
      <div className="relative">
        <input
          {...input}
          {...(type === 'email' ? EMAIL_INPUT : { type })}
          id={inputId}
          className={`input ${error || isWrong ? 'err' : ''} ${action ? '!pr-12' : ''}`}
          aria-invalid={Boolean(error) || isWrong}
          aria-describedby={error || hint ? noteId : undefined}
        />
        {action}
      </div>
      <FieldNote id={noteId} error={error} hint={hint} />
    </div>
  );
}
