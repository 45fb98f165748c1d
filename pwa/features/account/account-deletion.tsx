import { useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { formatLongDate } from '#pwa/format.ts';
import type { User } from '#shared/contract/account.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/retention.ts';
import { CancelDeletionButton } from './cancel-deletion-button.tsx';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';

/** Describes the deletion before and after it was requested. */
export function describeDeletion({ erasesAt }: User): string {
  // The long date ends with «г.», so the sentence needs no other full stop.
  if (erasesAt) return `Аккаунт будет удалён ${formatLongDate(erasesAt)} До этого дня удаление можно отменить.`;
  return `Аккаунт удаляется через ${DELETION_GRACE_DAYS} дней после запроса, до этого можно передумать. Сначала скачайте свои данные.`;
}

/** The button that requests the deletion or cancels it. */
export function AccountDeletion({ user }: { user: User }) {
  const [isAsking, setIsAsking] = useState(false);
  if (user.erasesAt) return <CancelDeletionButton />;
  return (
    <>
      <Button variant="second" className="max-md:w-full !text-danger" onClick={() => setIsAsking(true)}>
        Удалить аккаунт
      </Button>
      {isAsking && <DeleteAccountDialog email={user.email} onClose={() => setIsAsking(false)} />}
    </>
  );
}
