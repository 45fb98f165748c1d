import { type ReactNode, useState } from 'react';
import { ButtonLink, buttonClass } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { isStandalone } from '#pwa/device/is-standalone.ts';
import { readThemeChoice, saveThemeChoice, type ThemeChoice } from '#pwa/device/theme.ts';
import { useOnline } from '#pwa/device/use-online.ts';
import { AccountDeletion, describeDeletion } from '#pwa/features/account/account-deletion.tsx';
import { ConsentSettings } from '#pwa/features/account/consent-settings.tsx';
import { DataExport } from '#pwa/features/account/data-export.tsx';
import { describeBrowser } from '#pwa/features/account/describe-browser.ts';
import { EmailChangeForm } from '#pwa/features/account/email-change-form.tsx';
import { NameForm } from '#pwa/features/account/name-form.tsx';
import { PasswordChangeForm } from '#pwa/features/account/password-change-form.tsx';
import { ResultMailSetting } from '#pwa/features/account/result-mail-setting.tsx';
import { SessionList } from '#pwa/features/account/session-list.tsx';
import { CookieSettingsButton } from '#pwa/features/consent/cookie-settings-button.tsx';
import { InstallCard } from '#pwa/features/installation/install-card.tsx';
import { useInstallWay } from '#pwa/features/installation/installation.ts';
import { PushSettings } from '#pwa/features/notifications/push-settings.tsx';
import { KeptPhotosButton } from '#pwa/features/photos/kept-photos-button.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { StarsSettings } from '#pwa/features/stars/stars-settings.tsx';
import { TelegramLinkDialog } from '#pwa/features/telegram/telegram-link-dialog.tsx';
import { TelegramSettings } from '#pwa/features/telegram/telegram-settings.tsx';
import { nb } from '#pwa/format.ts';
import type { User } from '#shared/contract/account.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/** Settings of the account and of this device. */
export default function SettingsPage() {
  const user = useUser();
  const isOnline = useOnline();
  return (
    <>
      <h1 className="ptitle mb-6">Настройки</h1>
      <div className="grid grid-cols-1 gap-4 max-w-[560px]">
        {!user && !isOnline && (
          <Notice tone="info" title="Без сети здесь только часть настроек">
            {nb(
              'Имя, пароль, сеансы, уведомления, Telegram и данные аккаунта появятся сами, как только вернётся связь с сервером.',
            )}
          </Notice>
        )}
        <StarsSettings />
        {user && <AccountSections user={user} />}
        {user && <NotificationSection userId={user.id} />}
        {user && <TelegramSection email={user.email} />}
        <InstallSettings />
        <DeviceSections />
        {user && <LeavingSections user={user} />}
      </div>
    </>
  );
}

/** How to install the app; nothing when it cannot be installed here. */
function InstallSettings() {
  const way = useInstallWay();
  if (way === 'none') {
    return isStandalone() ? (
      <section className="panel p-4 md:p-5 text-sm text-muted">Приложение установлено.</section>
    ) : null;
  }
  return (
    <section className="panel p-4 md:p-5" aria-label="Установка приложения">
      <InstallCard way={way} onDone={() => undefined} />
    </section>
  );
}

/** The link to the page that confirms or corrects the e-mail address. */
function ConfirmEmailLink() {
  return (
    <ButtonLink to={PATHS.verifyEmail} variant="second" className="md:justify-self-start">
      Подтвердить или исправить email
    </ButtonLink>
  );
}

/** Name, e-mail, password and sessions. */
function AccountSections({ user }: { user: User }) {
  return (
    <>
      <SettingsSection title="Имя" text="Имя видно в меню и в приложении.">
        <NameForm user={user} />
      </SettingsSection>
      <SettingsSection title="Email" text={`${user.email}: с этим адресом вы входите, на него приходят письма.`}>
        {user.isEmailVerified ? <EmailChangeForm /> : <ConfirmEmailLink />}
      </SettingsSection>
      <SettingsSection title="Пароль">
        <PasswordChangeForm email={user.email} isAdmin={user.isAdmin} />
      </SettingsSection>
      <SettingsSection
        title="Сеансы"
        text="Где выполнен вход в ваш аккаунт и какие чаты Telegram имеют к нему доступ. Незнакомое завершите и смените пароль."
      >
        <SessionList />
      </SettingsSection>
    </>
  );
}

/** One child for each channel that reports finished results, the most direct first. */
function NotificationSection({ userId }: { userId: number }) {
  return (
    <SettingsSection title="Уведомления" text="О том, что видео, новое фото или фотосессия готовы.">
      <div className="grid gap-5">
        <PushSettings userId={userId} describeBrowser={describeBrowser} />
        <ResultMailSetting />
      </div>
    </SettingsSection>
  );
}

/** The link between the account and the bot. */
function TelegramSection({ email }: { email: string }) {
  return (
    <SettingsSection title="Telegram" text="Бот делает видео из фото прямо в чате: с теми же звёздами и результатами.">
      <TelegramSettings email={email} />
      <TelegramLinkDialog email={email} />
    </SettingsSection>
  );
}

const THEMES: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'system', label: 'Авто' },
  { value: 'light', label: 'Светлая' },
  { value: 'dark', label: 'Тёмная' },
];

/** Settings of this device, not of the account. */
function DeviceSections() {
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

/** The photos, the export of the data and the deletion of the account. */
function LeavingSections({ user }: { user: User }) {
  return (
    <>
      <SettingsSection title="Согласия" text="С чем вы согласились и когда.">
        <ConsentSettings user={user} />
      </SettingsSection>
      <SettingsSection title="Мои фото" text="Фото, которые вы загрузили, и место, которое они занимают.">
        <KeptPhotosButton className="max-md:w-full">Посмотреть и удалить</KeptPhotosButton>
      </SettingsSection>
      <SettingsSection
        title="Мои данные"
        text="Всё, что мы храним о вас: ZIP с записями, загруженными фото и результатами. До первой оплаты результаты с водяным знаком."
      >
        <DataExport />
      </SettingsSection>
      <SettingsSection title="Удаление аккаунта" text={describeDeletion(user)}>
        <AccountDeletion user={user} />
      </SettingsSection>
    </>
  );
}

interface SettingsSectionProps {
  title: string;
  text?: string;
  children: ReactNode;
}

/** One section of the settings page. */
function SettingsSection({ title, text, children }: SettingsSectionProps) {
  return (
    <section className="panel p-4 md:p-5">
      <h2 className="sec">{title}</h2>
      {text && <p className="text-sm text-muted mt-1 [overflow-wrap:anywhere]">{nb(text)}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
