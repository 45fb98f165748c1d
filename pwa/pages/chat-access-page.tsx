import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button, ButtonLink } from '#pwa/components/button.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { nb } from '#pwa/format.ts';
import { PARTING_PARAMETER, partChatByLink } from '#shared/contract/telegram.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

/**
 * Where the mail about a linked chat leads. Opening it changes nothing, because mail programs open links by themselves;
 * the button takes the chat's access.
 */
export default function ChatAccessPage() {
  const [query] = useSearchParams();
  const token = query.get(PARTING_PARAMETER) ?? '';
  const queryClient = useQueryClient();
  const part = useMutation({
    mutationFn: () => callApi(partChatByLink, { body: { token } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.accountSessions });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.telegram });
    },
  });
  return (
    <div className="flex justify-center px-5 py-10 md:py-24">
      <div className="w-full max-w-[440px]">
        <Send className="ic ic-l" />
        {part.isSuccess ? (
          <>
            <h1 className="ptitle mt-5" role="status">
              Чат отключён
            </h1>
            <p className="text-muted mt-3 text-lg">
              {nb(
                'У него больше нет доступа к аккаунту. Если подключали не вы, смените пароль: тот, кто это сделал, его знает.',
              )}
            </p>
            <ButtonLink className="mt-8" size="lg" wide to={PATHS.settings}>
              Открыть настройки
            </ButtonLink>
          </>
        ) : (
          <>
            <h1 className="ptitle mt-5">Отключить чат Telegram?</h1>
            <p className="text-muted mt-3 text-lg">
              {nb(
                'Чат потеряет доступ к аккаунту: не увидит фото и результаты и не сможет тратить звёзды. В аккаунте всё останется. Входить для этого не нужно.',
              )}
            </p>
            {part.isError && (
              <Notice
                tone="danger"
                className="mt-6"
                title={describeError(part.error, 'Не удалось отключить чат. Проверьте сеть и попробуйте ещё раз')}
              />
            )}
            <div className="grid gap-2 mt-8">
              <Button size="lg" wide loading={part.isPending} loadingText="Отключаем…" onClick={() => part.mutate()}>
                Отключить чат
              </Button>
              <ButtonLink variant="quiet" wide to={PATHS.settings}>
                Открыть настройки
              </ButtonLink>
            </div>
          </>
        )}
      </div>
    </div>
  );
}
