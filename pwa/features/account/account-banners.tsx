import { lazy, Suspense, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { formatLongDate, nb } from '#pwa/lib/format.ts';
import type { User } from '#shared/contract/account.ts';
import { useCancelDeletion } from './use-cancel-deletion.ts';

const NewPasswordDialog = lazy(() => import('./new-password-dialog.tsx'));

/** What the owner of such an account is told above every page. */
export default function AccountBanners({ user }: { user: User }) {
  return (
    <>
      {user.erasesAt && <DeletionBanner erasesAt={user.erasesAt} />}
      {user.hasPrintedPassword && <NewPasswordBanner email={user.email} />}
    </>
  );
}

/** While the account's password is one that a command has printed. */
function NewPasswordBanner({ email }: Pick<User, 'email'>) {
  const [isOpen, setIsOpen] = useState(false);
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
      <Suspense>{isOpen && <NewPasswordDialog email={email} onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}

/** When the account will be deleted, and the button that cancels the deletion. */
function DeletionBanner({ erasesAt }: { erasesAt: string }) {
  const takeBack = useCancelDeletion();
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
