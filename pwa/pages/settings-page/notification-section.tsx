import { describeBrowser } from '#pwa/features/account/describe-browser.ts';
import { ResultMailSetting } from '#pwa/features/account/result-mail-setting.tsx';
import { PushSettings } from '#pwa/features/notifications/push-settings.tsx';
import { SettingsSection } from './settings-section.tsx';

/** Every channel that tells of a finished result, the most direct first: one child each. */
export function NotificationSection({ userId }: { userId: number }) {
  return (
    <SettingsSection title="Уведомления" text="О том, что видео, новое фото или фотосессия готовы.">
      <div className="grid gap-5">
        <PushSettings userId={userId} describeBrowser={describeBrowser} />
        <ResultMailSetting />
      </div>
    </SettingsSection>
  );
}
