import { type ReactNode, useState } from 'react';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { NameForm } from '#pwa/features/account/name-form.tsx';
import { PasswordChangeForm } from '#pwa/features/account/password-change-form.tsx';
import { SessionList } from '#pwa/features/account/session-list.tsx';
import { useUser } from '#pwa/features/account/use-session.ts';
import { StarsSettings } from '#pwa/features/stars/stars-settings.tsx';
import { nb } from '#pwa/lib/format.ts';
import { readThemeChoice, saveThemeChoice, type ThemeChoice } from '#pwa/lib/theme.ts';

const THEMES: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'system', label: 'Авто' },
  { value: 'light', label: 'Светлая' },
  { value: 'dark', label: 'Тёмная' },
];

/** What a person can set about the account and about this device. */
export default function SettingsPage() {
  const user = useUser();
  const [theme, setTheme] = useState(readThemeChoice);
  const choose = (choice: ThemeChoice) => {
    saveThemeChoice(choice);
    setTheme(choice);
  };
  return (
    <>
      <h1 className="ptitle mb-6">Настройки</h1>
      <div className="grid gap-4 max-w-[560px]">
        <StarsSettings />
        {user && (
          <>
            <Section title="Имя" text={`Аккаунт ${user.email}. Имя видно в меню и в приложении.`}>
              <NameForm user={user} />
            </Section>
            <Section title="Пароль">
              <PasswordChangeForm email={user.email} />
            </Section>
            <Section
              title="Сеансы"
              text="Где выполнен вход в ваш аккаунт. Незнакомый сеанс завершите и смените пароль."
            >
              <SessionList />
            </Section>
          </>
        )}
        <Section
          title="Оформление"
          text="«Авто» следует за настройкой устройства. Выбор хранится только в этом браузере."
        >
          <SegmentedControl label="Тема оформления" value={theme} onChange={choose} options={THEMES} />
        </Section>
      </div>
    </>
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <section className="panel p-4 md:p-5">
      <h2 className="sec">{title}</h2>
      {text && <p className="text-sm text-muted mt-1 [overflow-wrap:anywhere]">{nb(text)}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
