import { Check } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { ErrorNote } from './error-note.tsx';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** The label, which may hold links. */
  children: ReactNode;
  error?: string | undefined;
}

/** A native checkbox in the design of the app. Spread `register('name')` into it. */
export function Checkbox({ children, error, className = '', ...input }: CheckboxProps) {
  const noteId = useId();
  return (
    <div className={`grid gap-1 ${className}`}>
      <label className="flex gap-3 items-start text-sm py-2.5 cursor-pointer">
        <span className="relative flex-none">
          <input
            {...input}
            type="checkbox"
            className={`peer check appearance-none block cursor-pointer checked:bg-ink checked:border-ink ${error ? '!border-danger' : ''}`}
            aria-invalid={Boolean(error)}
            aria-describedby={error ? noteId : undefined}
          />
          <Check className="ic ic-s absolute left-[3px] top-[3px] text-canvas pointer-events-none opacity-0 peer-checked:opacity-100" />
        </span>
        <span>{children}</span>
      </label>
      {error && <ErrorNote id={noteId}>{error}</ErrorNote>}
    </div>
  );
}
