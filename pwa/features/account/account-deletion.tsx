import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { formatLongDate } from '#pwa/lib/format.ts';
import type { User } from '#shared/contract/account.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/account-deletion.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { useTakeBackDeletion } from './use-account-deletion.ts';

/** What a person should know before or after asking. */
export function describeDeletion({ erasesAt }: User): string {
  // The year's own full stop ends the sentence.
  if (erasesAt) return `Аккаунт будет удалён ${formatLongDate(erasesAt)} До этого дня удаление можно отменить.`;
  return `Аккаунт удаляется через ${DELETION_GRACE_DAYS} дней после запроса, до этого можно передумать. Сначала скачайте свои данные.`;
}

/** Asking for the account to be deleted, or taking that back. */
export function AccountDeletion({ user }: { user: User }) {
  const [isAsking, setIsAsking] = useState(false);
  const takeBack = useTakeBackDeletion();
  if (user.erasesAt) {
    return (
      <Button
        variant="second"
        className="max-md:w-full"
        loading={takeBack.isPending}
        loadingText="Отменяем…"
        onClick={() => takeBack.mutate()}
      >
        Отменить удаление
      </Button>
    );
  }
  return (
    <>
      <Button variant="second" className="max-md:w-full !text-danger" onClick={() => setIsAsking(true)}>
        Удалить аккаунт
      </Button>
      {isAsking && <DeleteAccountDialog email={user.email} onClose={() => setIsAsking(false)} />}
    </>
  );
}
