import { ButtonLink } from '#pwa/components/button.tsx';
import { EmailChangeForm } from '#pwa/features/account/email-change-form.tsx';
import { NameForm } from '#pwa/features/account/name-form.tsx';
import { PasswordChangeForm } from '#pwa/features/account/password-change-form.tsx';
import { SessionList } from '#pwa/features/account/session-list.tsx';
import type { User } from '#shared/contract/account.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { SettingsSection } from './settings-section.tsx';

/** Where the address is confirmed, and corrected before that. */
function ConfirmEmailLink() {
  return (
    <ButtonLink to={PATHS.verifyEmail} variant="second" className="md:justify-self-start">
      Подтвердить или исправить email
    </ButtonLink>
  );
}

/** Who one is, and where one is signed in. */
export function AccountSections({ user }: { user: User }) {
  return (
    <>
      <SettingsSection title="Имя" text="Имя видно в меню и в приложении.">
        <NameForm user={user} />
      </SettingsSection>
      <SettingsSection title="Email" text={`${user.email}: с этим адресом вы входите, на него приходят письма.`}>
        {user.isEmailVerified ? <EmailChangeForm /> : <ConfirmEmailLink />}
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
