import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { nb } from '#pwa/format.ts';
import { changeNotificationSettings, getNotificationSettings } from '#shared/contract/settings.ts';

const QUERY_KEY = ['notification-settings'];

/** The setting that mails finished results. */
export function ResultMailSetting() {
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => callApi(getNotificationSettings, undefined, { signal }),
    staleTime: 0,
  });
  const change = useChangeMailsResults();
  if (!query.data) {
    if (!query.isError) return <Skeleton className="h-11" />;
    return (
      <RetryNotice
        title="Не удалось загрузить настройки"
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <Checkbox
      // A change shows at once, and not any more if it fails.
      checked={change.isPending ? change.variables : query.data.mailsResults}
      onChange={(event) => change.mutate(event.target.checked)}
    >
      <span className="block font-medium">Письмо, когда результат готов</span>
      <span className="block text-muted">{nb('Если вы не в приложении и других уведомлений нет.')}</span>
    </Checkbox>
  );
}

function useChangeMailsResults() {
  const queryClient = useQueryClient();
  return useMutation({
    // A fetch that is under way would bring the former setting back.
    onMutate: () => queryClient.cancelQueries({ queryKey: QUERY_KEY }),
    mutationFn: (mailsResults: boolean) => callApi(changeNotificationSettings, { body: { mailsResults } }),
    onSuccess: (settings) => void queryClient.setQueryData(QUERY_KEY, settings),
    onError: (error) => toastFailure('Не удалось сохранить настройку', error, 'Проверьте сеть и попробуйте ещё раз'),
  });
}
