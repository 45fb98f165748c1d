import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { formatLongDate, nb } from '#pwa/lib/format.ts';
import { useTakeBackDeletion } from './use-account-deletion.ts';
import { useUser } from './use-session.ts';

/** Above every page of an account that waits for its deletion: when that is, and the way back. */
export function DeletionBanner() {
  const erasesAt = useUser()?.erasesAt;
  const takeBack = useTakeBackDeletion();
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
