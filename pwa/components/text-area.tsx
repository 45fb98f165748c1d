import { type ComponentProps, useId } from 'react';
import { FieldNote } from './field-note.tsx';

export interface TextAreaProps extends ComponentProps<'textarea'> {
  label: string;
  /** The error message, shown below the input and linked to it. */
  error?: string | undefined;
  hint?: string | undefined;
}

/** A labelled input for several lines. */
export function TextArea({ label, error, hint, className = '', ...input }: TextAreaProps) {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className={`field ${className}`}>
      <label htmlFor={id}>{label}</label>
      <textarea
        rows={3}
        {...input}
        id={id}
        className={`input py-3 resize-y ${error ? 'err' : ''}`}
        aria-invalid={Boolean(error)}
        aria-describedby={error || hint ? noteId : undefined}
      />
      <FieldNote id={noteId} error={error} hint={hint} />
    </div>
  );
}
