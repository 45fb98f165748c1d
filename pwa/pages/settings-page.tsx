import { useState } from 'react';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { nb } from '#pwa/lib/format.ts';
import { readThemeChoice, saveThemeChoice, type ThemeChoice } from '#pwa/lib/theme.ts';

const THEMES: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'system', label: 'Авто' },
  { value: 'light', label: 'Светлая' },
  { value: 'dark', label: 'Тёмная' },
];

/** What a person can set about this device. */
export default function SettingsPage() {
  const [theme, setTheme] = useState(readThemeChoice);
  const choose = (choice: ThemeChoice) => {
    saveThemeChoice(choice);
    setTheme(choice);
  };
  return (
    <>
      <h1 className="ptitle mb-6">Настройки</h1>
      <section className="panel p-4 md:p-5 max-w-[560px]">
        <h2 className="sec">Оформление</h2>
        <p className="text-sm text-muted mt-1 mb-4">
          {nb('«Авто» следует за настройкой устройства. Выбор хранится только в этом браузере.')}
        </p>
        <SegmentedControl label="Тема оформления" value={theme} onChange={choose} options={THEMES} />
      </section>
    </>
  );
}
