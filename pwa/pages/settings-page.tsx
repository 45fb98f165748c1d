import { Notice } from '#pwa/components/notice.tsx';
import { useUser } from '#pwa/features/account/use-session.ts';
import { InstallSettings } from '#pwa/features/installation/install-settings.tsx';
import { StarsSettings } from '#pwa/features/stars/stars-settings.tsx';
import { nb } from '#pwa/lib/format.ts';
import { useOnline } from '#pwa/lib/use-online.ts';
import { AccountSections } from './settings-page/account-sections.tsx';
import { DeviceSections } from './settings-page/device-sections.tsx';
import { LeavingSections } from './settings-page/leaving-sections.tsx';
import { NotificationSection } from './settings-page/notification-section.tsx';
import { TelegramSection } from './settings-page/telegram-section.tsx';

/** What a person can set about the account and about this device. */
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
        {user && <TelegramSection />}
        <InstallSettings />
        <DeviceSections />
        {user && <LeavingSections user={user} />}
      </div>
    </>
  );
}
