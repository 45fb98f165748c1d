import { useSearchParams } from 'react-router-dom';
import { TELEGRAM_LINK_PARAMETER } from '#shared/contract/telegram.ts';
import { LinkConsentDialog } from './link-consent-dialog.tsx';
import { nameTelegramPerson } from './name-telegram-person.ts';
import { useLinkTelegram, useTelegramPreview } from './use-telegram.ts';

/**
 * For people who have opened a link of the bot: says which chat would get access, and asks for the password. Nothing
 * without such a link.
 */
export function TelegramLinkDialog({ email }: { email: string }) {
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
  return <LinkDialog token={token} email={email} onClose={close} />;
}

function LinkDialog({ token, email, onClose }: { token: string; email: string; onClose: () => void }) {
  const preview = useTelegramPreview(token);
  const link = useLinkTelegram();
  return (
    <LinkConsentDialog
      email={email}
      action="Связать"
      who={preview.data ? `Чат ${nameTelegramPerson(preview.data)}` : null}
      moving="Звёзды и результаты чата перейдут в этот аккаунт."
      isPending={link.isPending}
      error={preview.error ?? link.error}
      onClose={onClose}
      onConfirm={(password) => link.mutate({ token, password }, { onSuccess: onClose })}
    />
  );
}
