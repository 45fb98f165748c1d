import { type ReactNode, useState } from 'react';
import { ButtonLink, buttonClass } from '#pwa/components/button.tsx';
import { DisclosureRow, type DisclosureRowProps } from '#pwa/components/disclosure-row.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { SegmentedControl } from '#pwa/components/segmented-control.tsx';
import { isStandalone } from '#pwa/device/is-standalone.ts';
import { useStore } from '#pwa/device/store.ts';
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
import { SessionCount, SessionList } from '#pwa/features/account/session-list.tsx';
import { type Consent, cookieConsent } from '#pwa/features/consent/consent.ts';
import { CookieSettingsButton } from '#pwa/features/consent/cookie-settings-button.tsx';
import { InstallCard } from '#pwa/features/installation/install-card.tsx';
import { useInstallWay } from '#pwa/features/installation/installation.ts';
import { PushSettings, PushSummary } from '#pwa/features/notifications/push-settings.tsx';
import { KeptPhotosButton } from '#pwa/features/photos/kept-photos-button.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { StarsSettings } from '#pwa/features/stars/stars-settings.tsx';
import { TelegramLinkDialog } from '#pwa/features/telegram/telegram-link-dialog.tsx';
import { TelegramSettings, TelegramSummary } from '#pwa/features/telegram/telegram-settings.tsx';
import { nb } from '#pwa/format.ts';
import type { User } from '#shared/contract/account.ts';
import { PATHS } from '#shared/rules/app-paths.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/retention.ts';

/** Settings of the account and of this device, as rows that open. */
export default function SettingsPage() {
  const user = useUser();
  const isOnline = useOnline();
  return (
    <>
      <h1 className="ptitle mb-6">Настройки</h1>
      {!user && !isOnline && (
        <Notice tone="info" title="Без сети здесь только часть настроек" className="mb-4">
          {nb(
            'Имя, пароль, сеансы, уведомления, Telegram и данные аккаунта появятся сами, как только вернётся связь с сервером.',
          )}
        </Notice>
      )}
      <StarsSettings />
      <div className="grid grid-cols-1 lg:grid-cols-2 gap-x-6 gap-y-8 items-start mt-8">
        {user && (
          <div className="grid grid-cols-1 gap-8">
            <AccountRows user={user} />
            <NewsRows user={user} />
          </div>
        )}
        <div className="grid grid-cols-1 gap-8">
          <DeviceRows />
          {user && <DataRows user={user} />}
        </div>
      </div>
      {user && <TelegramLinkDialog email={user.email} />}
    </>
  );
}

/** Name, e-mail, password, sessions and consents. */
function AccountRows({ user }: { user: User }) {
  return (
    <SettingsGroup title="Аккаунт">
      <SettingsRow
        id="name"
        title="Имя"
        summary={user.username || 'Не указано'}
        text="Имя видно в меню и в приложении."
      >
        <NameForm user={user} />
      </SettingsRow>
      <SettingsRow
        id="email"
        title="Email"
        summary={user.isEmailVerified ? user.email : `${user.email}, не подтверждён`}
        text={`${user.email}: с этим адресом вы входите, на него приходят письма.`}
      >
        {user.isEmailVerified ? <EmailChangeForm /> : <ConfirmEmailLink />}
      </SettingsRow>
      <SettingsRow id="password" title="Пароль" summary="После смены другие сеансы завершатся">
        <PasswordChangeForm email={user.email} isAdmin={user.isAdmin} />
      </SettingsRow>
      <SettingsRow
        id="sessions"
        title="Сеансы"
        summary={<SessionCount />}
        text="Где выполнен вход в ваш аккаунт и какие чаты Telegram имеют к нему доступ. Незнакомое завершите и смените пароль."
      >
        <SessionList />
      </SettingsRow>
      <SettingsRow id="consents" title="Согласия" summary="С чем вы согласились и когда">
        <ConsentSettings user={user} />
      </SettingsRow>
    </SettingsGroup>
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

/** The ways in which a person hears of finished results, the most direct first. */
function NewsRows({ user: { id, email } }: { user: User }) {
  return (
    <SettingsGroup title="Уведомления">
      <SettingsRow
        id="notifications"
        title="Push и письма"
        summary={<PushSummary />}
        text="О том, что видео, новое фото или фотосессия готовы."
      >
        <div className="grid gap-5">
          <PushSettings userId={id} describeBrowser={describeBrowser} />
          <ResultMailSetting />
        </div>
      </SettingsRow>
      <SettingsRow
        id="telegram"
        title="Telegram"
        summary={<TelegramSummary />}
        text="Бот делает видео из фото прямо в чате: с теми же звёздами и результатами."
      >
        <TelegramSettings email={email} />
      </SettingsRow>
    </SettingsGroup>
  );
}

const THEMES: ReadonlyArray<{ value: ThemeChoice; label: string }> = [
  { value: 'system', label: 'Авто' },
  { value: 'light', label: 'Светлая' },
  { value: 'dark', label: 'Тёмная' },
];

const COOKIE_SUMMARIES: Record<Consent, string> = { accepted: 'Приняты', declined: 'Отклонены' };

/** Settings of this device, not of the account. */
function DeviceRows() {
  const [theme, setTheme] = useState(readThemeChoice);
  const consent = useStore(cookieConsent);
  const choose = (choice: ThemeChoice) => {
    saveThemeChoice(choice);
    setTheme(choice);
  };
  return (
    <SettingsGroup title="Это устройство">
      <SettingsRow
        id="theme"
        title="Оформление"
        summary={THEMES.find(({ value }) => value === theme)?.label}
        text="«Авто» следует за настройкой устройства. Выбор хранится только в этом браузере."
      >
        <SegmentedControl label="Тема оформления" value={theme} onChange={choose} options={THEMES} />
      </SettingsRow>
      <SettingsRow
        id="cookie"
        title="Cookie"
        summary={consent ? COOKIE_SUMMARIES[consent] : 'Вы ещё не решили'}
        text="Статистика с номером аккаунта собирается только с вашего согласия. Решение можно изменить в любой момент."
      >
        <CookieSettingsButton className={buttonClass({ variant: 'second' }, 'max-md:w-full')} />
      </SettingsRow>
      <InstallRow />
    </SettingsGroup>
  );
}

/** How to install the app; nothing when it cannot be installed here. */
function InstallRow() {
  const way = useInstallWay();
  if (way === 'none') {
    return isStandalone() ? <p className="px-4 md:px-5 py-4 text-sm text-muted">Приложение установлено.</p> : null;
  }
  return (
    <SettingsRow id="install" title="Приложение" summary="Можно установить на это устройство">
      <InstallCard way={way} onDone={() => undefined} />
    </SettingsRow>
  );
}

/** The photos, the export of the data and the deletion of the account. */
function DataRows({ user }: { user: User }) {
  return (
    <SettingsGroup title="Данные">
      <SettingsRow
        id="photos"
        title="Мои фото"
        summary="Посмотреть и удалить загруженные"
        text="Фото, которые вы загрузили, и место, которое они занимают."
      >
        <KeptPhotosButton className="max-md:w-full">Посмотреть и удалить</KeptPhotosButton>
      </SettingsRow>
      <SettingsRow
        id="data"
        title="Мои данные"
        summary="Скачать всё, что мы о вас храним"
        text="Всё, что мы храним о вас: ZIP с записями, загруженными фото и результатами. До первой оплаты результаты с водяным знаком."
      >
        <DataExport />
      </SettingsRow>
      <SettingsRow
        id="deletion"
        title="Удаление аккаунта"
        summary={user.erasesAt ? 'Запрошено, можно отменить' : `Через ${DELETION_GRACE_DAYS} дней после запроса`}
        text={describeDeletion(user)}
      >
        <AccountDeletion user={user} />
      </SettingsRow>
    </SettingsGroup>
  );
}

function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="sec mb-3">{title}</h2>
      <div className="panel divide-y divide-line">{children}</div>
    </div>
  );
}

interface SettingsRowProps extends DisclosureRowProps {
  /** Explains the setting, once the row is open. */
  text?: string;
}

function SettingsRow({ text, summary, children, ...row }: SettingsRowProps) {
  return (
    <DisclosureRow {...row} summary={typeof summary === 'string' ? nb(summary) : summary}>
      {text && <p className="text-sm text-muted mb-4 [overflow-wrap:anywhere]">{nb(text)}</p>}
      {children}
    </DisclosureRow>
  );
}
