import { useState } from 'react';
import { buttonClass } from '#pwa/components/button.tsx';
import { CookieSettingsButton } from '#pwa/components/cookie-settings-button.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { readThemeChoice, saveThemeChoice, type ThemeChoice } from '#pwa/lib/theme.ts';
import { SettingsSection } from './settings-section.tsx';

const THEMES: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'system', label: 'Авто' },
  { value: 'light', label: 'Светлая' },
  { value: 'dark', label: 'Тёмная' },
];

/** What belongs to this device and not to the account. */
export function DeviceSections() {
  const [theme, setTheme] = useState(readThemeChoice);
  const choose = (choice: ThemeChoice) => {
    saveThemeChoice(choice);
    setTheme(choice);
  };
  return (
    <>
      <SettingsSection
        title="Оформление"
        text="«Авто» следует за настройкой устройства. Выбор хранится только в этом браузере."
      >
        <SegmentedControl label="Тема оформления" value={theme} onChange={choose} options={THEMES} />
      </SettingsSection>
      <SettingsSection
        title="Cookie"
        text="Статистика с номером аккаунта собирается только с вашего согласия. Решение можно изменить в любой момент."
      >
        <CookieSettingsButton className={buttonClass({ variant: 'second' }, 'max-md:w-full')} />
      </SettingsSection>
    </>
  );
}
