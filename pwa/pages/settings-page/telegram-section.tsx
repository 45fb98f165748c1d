import { TelegramLinkDialog } from '#pwa/features/telegram/telegram-link-dialog.tsx';
import { TelegramSettings } from '#pwa/features/telegram/telegram-settings.tsx';
import { SettingsSection } from './settings-section.tsx';

/** The same account and the same stars in the bot. */
export function TelegramSection() {
  return (
    <SettingsSection title="Telegram" text="Бот делает видео из фото прямо в чате: с теми же звёздами и результатами.">
      <TelegramSettings />
      <TelegramLinkDialog />
    </SettingsSection>
  );
}
