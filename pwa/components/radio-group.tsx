import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
} from 'react';
import { moveFocus } from './move-focus.ts';

export interface RadioGroupProps<Value extends string> {
  /** Null while nothing is chosen. */
  value: Value | null;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what is being chosen. */
  label: string;
  /** Whether the options stand side by side. Then only horizontal arrows move. */
  isHorizontal?: boolean;
  /** Layout of the options, usually a grid. */
  className?: string;
  children: ReactNode;
}

const Choice = createContext<Pick<RadioGroupProps<string>, 'value' | 'onChange'> | null>(null);
const OPTIONS = '[role=radio]';

/** A choice of one of several options, each of which may look like anything. Arrow keys choose the next one. */
export function RadioGroup<Value extends string>({
  value,
  onChange,
  label,
  isHorizontal = false,
  className,
  children,
}: RadioGroupProps<Value>) {
  const group = useRef<HTMLDivElement>(null);
  // Tab reaches the group once: at its chosen option, or else at its first.
  useLayoutEffect(() => {
    const options = [...(group.current?.querySelectorAll<HTMLButtonElement>(OPTIONS) ?? [])];
    const usable = options.filter(({ disabled }) => !disabled);
    const stop = usable.find((option) => option.getAttribute('aria-checked') === 'true') ?? usable[0];
    for (const option of options) option.tabIndex = option === stop ? 0 : -1;
  });
  const chooseByKey = (event: KeyboardEvent<HTMLElement>) => {
    moveFocus(event, OPTIONS, { isHorizontal })?.click();
    // A radio button is not chosen by Enter.
    if (event.key === 'Enter') event.preventDefault();
  };
  return (
    <div ref={group} role="radiogroup" aria-label={label} className={className} onKeyDown={chooseByKey}>
      {/* The options in it have only these values. */}
      <Choice value={{ value, onChange: (next) => onChange(next as Value) }}>{children}</Choice>
    </div>
  );
}

export interface RadioOptionProps extends ComponentProps<'button'> {
  value: string;
}

export function RadioOption({ value, ...rest }: RadioOptionProps) {
  const choice = useContext(Choice);
  const isChosen = useIsChosen(value);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native radio button cannot hold a picture and its texts.
    <button
      {...rest}
      type="button"
      role="radio"
      aria-checked={isChosen}
      data-state={isChosen ? 'checked' : 'unchecked'}
      onClick={() => {
        if (!isChosen) choice?.onChange(value);
      }}
    />
  );
}

/** Whether this option of the group around is the chosen one. */
export function useIsChosen(value: string): boolean {
  return useContext(Choice)?.value === value;
}
