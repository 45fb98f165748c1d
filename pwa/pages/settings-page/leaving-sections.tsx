import { AccountDeletion, describeDeletion } from '#pwa/features/account/account-deletion.tsx';
import { DataExport } from '#pwa/features/account/data-export.tsx';
import type { User } from '#shared/contract/account.ts';
import { SettingsSection } from './settings-section.tsx';

/** Taking everything along, and going. */
export function LeavingSections({ user }: { user: User }) {
  return (
    <>
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
