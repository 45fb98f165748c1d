import { type ComponentProps, type ReactNode, useId } from 'react';
import { ErrorNote } from './error-note.tsx';

export interface FieldProps extends ComponentProps<'input'> {
  label: string;
  /** The complaint, shown below and tied to the input. */
  error?: string | undefined;
  hint?: ReactNode;
  /** Sits inside the input's right end. */
  action?: ReactNode;
}

/** A labelled text input; spread `register('name')` of react-hook-form into it. */
export function Field({ label, error, hint, action, id, className = '', ...input }: FieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const noteId = `${inputId}-note`;
  return (
    <div className={`field ${className}`}>
      <label htmlFor={inputId}>{label}</label>
      <div className="relative">
        <input
          {...input}
          id={inputId}
          className={`input ${error ? 'err' : ''} ${action ? '!pr-12' : ''}`}
          aria-invalid={Boolean(error)}
          aria-describedby={error || hint ? noteId : undefined}
        />
        {action}
      </div>
      {error ? (
        <ErrorNote id={noteId}>{error}</ErrorNote>
      ) : (
        hint && (
          <span id={noteId} className="text-xs text-muted">
            {hint}
          </span>
        )
      )}
    </div>
  );
}
