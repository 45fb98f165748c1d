import type { ReactNode } from 'react';
import { nb } from '#pwa/lib/format.ts';

export interface SettingsSectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** One subject of the settings page. */
export function SettingsSection({ title, text, children }: SettingsSectionProps) {
  return (
    <section className="panel p-4 md:p-5">
      <h2 className="sec">{title}</h2>
      {text && <p className="text-sm text-muted mt-1 [overflow-wrap:anywhere]">{nb(text)}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
