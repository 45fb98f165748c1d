import { Send } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/format.ts';
import type { TelegramState } from '#shared/contract/telegram.ts';
import { LinkConsentDialog } from './link-consent-dialog.tsx';
import { nameTelegramPerson } from './name-telegram-person.ts';
import { useTelegram, useTelegramAddress, useTellsResults, useUnlinkTelegram } from './use-telegram.ts';

/** Links the account with Telegram or unlinks it, and sets whether results are sent there. */
export function TelegramSettings({ email }: { email: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const address = useTelegramAddress();
  const { data: state, isError, isFetching, refetch } = useTelegram(address.isSuccess);
  if (!state) {
    if (!isError) return <Skeleton className="h-11" />;
    return (
      <RetryNotice title="Не удалось загрузить настройки" isRetrying={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (state.link) return <LinkedTelegram link={state.link} onUnlink={address.reset} />;
  if (state.botUsername === null) return <p className="text-muted">{nb('Бот сейчас не подключён.')}</p>;
  if (!address.data) {
    return (
      <>
        <Button variant="second" className="max-md:w-full" icon={<Send />} onClick={() => setIsAsking(true)}>
          Связать Telegram
        </Button>
        {isAsking && (
          <LinkConsentDialog
            email={email}
            action="Получить ссылку"
            who="Чат, в котором вы откроете ссылку и нажмёте «Связать»,"
            moving="Если в чате уже есть звёзды, фото или результаты, отправьте боту /link: по его ссылке они перейдут в этот аккаунт."
            isPending={address.isPending}
            error={address.error}
            onClose={() => {
              setIsAsking(false);
              address.reset();
            }}
            onConfirm={(password) => address.mutate(password, { onSuccess: () => setIsAsking(false) })}
          />
        )}
      </>
    );
  }
  return (
    <div role="status" className="grid gap-3 justify-items-start">
      <a
        className={buttonClass({ variant: 'second' }, 'max-md:w-full')}
        href={address.data.address}
        target="_blank"
        rel="noreferrer"
      >
        Открыть @{state.botUsername}
      </a>
      <p className="text-sm text-muted">
        {nb('Нажмите «Начать» и подтвердите связь в боте. Ссылка действует 10 минут и только один раз.')}
      </p>
    </div>
  );
}

/** Whether the account is linked, in one line. */
export function TelegramSummary() {
  const { data } = useTelegram();
  if (!data) return 'Видео прямо в чате';
  return data.link ? `Связан: ${nameTelegramPerson(data.link)}` : 'Не связан';
}

function LinkedTelegram({ link, onUnlink }: { link: NonNullable<TelegramState['link']>; onUnlink: () => void }) {
  const tells = useTellsResults();
  const unlink = useUnlinkTelegram();
  return (
    <div className="grid gap-4">
      <div className="flex items-center gap-3">
        <Send className="ic text-muted" />
        <div className="flex-1 min-w-0 truncate font-medium">{nameTelegramPerson(link)}</div>
        <Button
          variant="quiet"
          size="sm"
          loading={unlink.isPending}
          aria-label="Разорвать связь с Telegram"
          onClick={() => unlink.mutate(undefined, { onSuccess: onUnlink })}
        >
          Разорвать связь
        </Button>
      </div>
      <Checkbox
        // A change shows at once, and not any more if it fails.
        checked={tells.isPending ? tells.variables : link.tellsResults}
        onChange={(event) => tells.mutate(event.target.checked)}
      >
        <span className="block font-medium">Присылать результаты в Telegram</span>
        <span className="block text-muted">{nb('Видео и фото, созданные на сайте, придут и в чат с ботом.')}</span>
      </Checkbox>
    </div>
  );
}
