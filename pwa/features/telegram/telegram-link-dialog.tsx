import { useSearchParams } from 'react-router-dom';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { describeError } from '#pwa/lib/api-error.ts';
import { nb } from '#pwa/lib/format.ts';
import { TELEGRAM_LINK_PARAMETER } from '#shared/contract/telegram.ts';
import { nameTelegramPerson } from './name-telegram-person.ts';
import { useLinkTelegram, useTelegramPreview } from './use-telegram.ts';

/**
 * For people who have opened a link of the bot: asks whether the Telegram account is theirs. Nothing without such a
 * link.
 */
export function TelegramLinkDialog() {
  const [parameters, setParameters] = useSearchParams();
  const token = parameters.get(TELEGRAM_LINK_PARAMETER);
  if (token === null) return null;
  const close = () => {
    setParameters(
      (before) => {
        before.delete(TELEGRAM_LINK_PARAMETER);
        return before;
      },
      { replace: true },
    );
  };
  return <LinkDialog token={token} onClose={close} />;
}

function LinkDialog({ token, onClose }: { token: string; onClose: () => void }) {
  const preview = useTelegramPreview(token);
  const link = useLinkTelegram();
  const error = preview.error ?? link.error;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!link.isPending}
      size="sm"
      title="Связать Telegram?"
      footer={
        <>
          <Button variant="second" onClick={onClose} disabled={link.isPending}>
            {error ? 'Закрыть' : 'Отмена'}
          </Button>
          {preview.data && !error && (
            <Button
              loading={link.isPending}
              loadingText="Связываем…"
              onClick={() => link.mutate(token, { onSuccess: onClose })}
            >
              Связать
            </Button>
          )}
        </>
      }
    >
      {error && <Notice tone="danger" title={describeError(error, 'Не удалось связать. Попробуйте ещё раз')} />}
      {!error && !preview.data && <Skeleton className="h-16" />}
      {!error && preview.data && (
        <p>
          <span className="block font-semibold">{nameTelegramPerson(preview.data)}</span>
          {nb(
            'Этот человек увидит ваши результаты и сможет тратить ваши звёзды. Связывайте, только если это вы. Звёзды и результаты из бота перейдут в этот аккаунт. Подарок за регистрацию считается один раз.',
          )}
        </p>
      )}
    </Dialog>
  );
}
