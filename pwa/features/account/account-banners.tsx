import { lazy, Suspense, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { formatLongDate, nb } from '#pwa/lib/format.ts';
import { useCancelDeletion } from './use-cancel-deletion.ts';
import { useUser } from './use-session.ts';

const NewPasswordDialog = lazy(() => import('./new-password-dialog.tsx'));

/** Shown above every page while the account's password is one that a command has printed. */
export function NewPasswordBanner() {
  const user = useUser();
  const [isOpen, setIsOpen] = useState(false);
  if (!user?.hasPrintedPassword) return null;
  return (
    <>
      <Notice
        tone="warning"
        className="mb-6"
        title={nb('Задайте новый пароль')}
        action={
          <Button variant="second" size="sm" className="max-md:w-full" onClick={() => setIsOpen(true)}>
            Задать пароль
          </Button>
        }
      >
        {nb('Нынешний напечатан командой на экране сервера, и его мог увидеть кто-то ещё.')}
      </Notice>
      <Suspense>{isOpen && <NewPasswordDialog email={user.email} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}

/** Shown above every page of an account that will be deleted: the date, and the button that cancels the deletion. */
export function DeletionBanner() {
  const erasesAt = useUser()?.erasesAt;
  const takeBack = useCancelDeletion();
  if (!erasesAt) return null;
  return (
    <Notice
      tone="warning"
      className="mb-6"
      title={nb(`Аккаунт будет удалён ${formatLongDate(erasesAt)}`)}
      action={
        <Button
          variant="second"
          size="sm"
          className="max-md:w-full"
          loading={takeBack.isPending}
          loadingText="Отменяем…"
          onClick={() => takeBack.mutate()}
        >
          Отменить удаление
        </Button>
      }
    >
      {nb('До этого дня можно скачать свои данные. Создавать и покупать новое нельзя.')}
    </Notice>
  );
}
