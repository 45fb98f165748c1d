import { Button } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { formatLongDate, nb } from '#pwa/format.ts';
import { useCancelDeletion } from './use-cancel-deletion.ts';

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
