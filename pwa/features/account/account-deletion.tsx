import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { formatLongDate } from '#pwa/format.ts';
import type { User } from '#shared/contract/account.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/retention.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { useCancelDeletion } from './use-cancel-deletion.ts';

/** Describes the deletion before and after it was requested. */
export function describeDeletion({ erasesAt }: User): string {
  // The long date ends with «г.», so the sentence needs no other full stop.
  if (erasesAt) return `Аккаунт будет удалён ${formatLongDate(erasesAt)} До этого дня удаление можно отменить.`;
  return `Аккаунт удаляется через ${DELETION_GRACE_DAYS} дней после запроса, до этого можно передумать. Сначала скачайте свои данные.`;
}

/** The button that requests the deletion or cancels it. */
export function AccountDeletion({ user }: { user: User }) {
  const [isAsking, setIsAsking] = useState(false);
  const takeBack = useCancelDeletion();
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
