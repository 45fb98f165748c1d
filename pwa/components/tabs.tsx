import { type ReactNode, useId } from 'react';
import { moveFocus } from './move-focus.ts';

export interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what the tabs choose between. */
  label: string;
  tabs: ReadonlyArray<{ value: Value; label: ReactNode; content: ReactNode }>;
  /** Classes of the track, for example its width. */
  className?: string;
  /** Stand right of the track and below it. */
  beside?: ReactNode;
  below?: ReactNode;
}

/**
 * Tabs that look like a segmented control. Only the chosen panel is mounted; a tab is chosen when it gets the focus.
 */
export function Tabs<Value extends string>({
  value,
  onChange,
  label,
  tabs,
  className = '',
  beside,
  below,
}: TabsProps<Value>) {
  const id = useId();
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-1 gap-y-2">
        <div
          role="tablist"
          aria-label={label}
          aria-orientation="horizontal"
          className={`seg ${className}`}
          onKeyDown={(event) => moveFocus(event, '[role=tab]', { isHorizontal: true })}
        >
          {tabs.map((tab) => {
            const isChosen = tab.value === value;
            const choose = () => {
              if (!isChosen) onChange(tab.value);
            };
            return (
              <button
                key={tab.value}
                type="button"
                role="tab"
                id={`${id}-${tab.value}-tab`}
                aria-selected={isChosen}
                aria-controls={`${id}-${tab.value}`}
                tabIndex={isChosen ? 0 : -1}
                className={isChosen ? 'on' : ''}
                onFocus={choose}
                onClick={choose}
              >
                {tab.label}
              </button>
            );
          })}
        </div>
        {beside}
      </div>
      {below}
      {tabs.map((tab) => (
        <div
          key={tab.value}
          role="tabpanel"
          id={`${id}-${tab.value}`}
          aria-labelledby={`${id}-${tab.value}-tab`}
          tabIndex={-1}
          hidden={tab.value !== value}
          className="outline-none"
        >
          {tab.value === value && tab.content}
        </div>
      ))}
    </div>
  );
}
