import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabsProps<Value extends string> {
  value: Value;
  onChange: (value: Value) => void;
  /** Read out by screen readers: what the tabs choose between. */
  label: string;
  tabs: ReadonlyArray<{ value: Value; label: ReactNode; content: ReactNode }>;
  /** Classes of the track, for example its width. */
  className?: string;
}

/** Tabs that look like a segmented control. Only the chosen panel is mounted. */
export function Tabs<Value extends string>({ value, onChange, label, tabs, className = '' }: TabsProps<Value>) {
  return (
    <RadixTabs.Root value={value} onValueChange={(next) => onChange(next as Value)}>
      <RadixTabs.List className={`seg ${className}`} aria-label={label}>
        {tabs.map((tab) => (
          <RadixTabs.Trigger key={tab.value} value={tab.value} className={tab.value === value ? 'on' : ''}>
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value} tabIndex={-1} className="outline-none">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
