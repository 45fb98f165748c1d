import { NameForm } from '#pwa/features/account/name-form.tsx';
import { PasswordChangeForm } from '#pwa/features/account/password-change-form.tsx';
import { SessionList } from '#pwa/features/account/session-list.tsx';
import type { User } from '#shared/contract/account.ts';
import { SettingsSection } from './settings-section.tsx';

/** Who one is, and where one is signed in. */
export function AccountSections({ user }: { user: User }) {
  return (
    <>
      <SettingsSection title="Имя" text={`Аккаунт ${user.email}. Имя видно в меню и в приложении.`}>
        <NameForm user={user} />
      </SettingsSection>
      <SettingsSection title="Пароль">
        <PasswordChangeForm email={user.email} />
      </SettingsSection>
      <SettingsSection
        title="Сеансы"
        text="Где выполнен вход в ваш аккаунт. Незнакомый сеанс завершите и смените пароль."
      >
        <SessionList />
      </SettingsSection>
    </>
  );
}
