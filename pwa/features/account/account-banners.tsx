import { Notice } from '#pwa/components/notice.tsx';
import { useUser } from '#pwa/features/session/use-session.ts';
import { formatLongDate, nb } from '#pwa/format.ts';
import { CancelDeletionButton } from './cancel-deletion-button.tsx';

/** Shown above every page of an account that will be deleted: the date, and the button that cancels the deletion. */
export function DeletionBanner() {
  const erasesAt = useUser()?.erasesAt;
  if (!erasesAt) return null;
  return (
    <Notice
      tone="warning"
      className="mb-6"
      title={nb(`Аккаунт будет удалён ${formatLongDate(erasesAt)}`)}
      action={<CancelDeletionButton size="sm" />}
    >
      {nb('До этого дня можно скачать свои данные. Создавать и покупать новое нельзя.')}
    </Notice>
  );
}
