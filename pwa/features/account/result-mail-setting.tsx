import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { RetryNotice } from '#pwa/components/retry-notice.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';
import {
  changeNotificationSettings,
  getNotificationSettings,
  type NotificationSettings,
} from '#shared/contract/settings.ts';

const notificationSettingsQuery = queryOptions({
  queryKey: ['notification-settings'],
  queryFn: ({ signal }) => callApi(getNotificationSettings, undefined, { signal }),
  staleTime: 0,
});

/** The setting that mails finished results. */
export function ResultMailSetting() {
  const { data: settings, isError, isFetching, refetch } = useNotificationSettings();
  const change = useChangeNotificationSettings();
  if (!settings) {
    if (!isError) return <Skeleton className="h-11" />;
    return (
      <RetryNotice title="Не удалось загрузить настройки" isRetrying={isFetching} onRetry={() => void refetch()} />
    );
  }
  return (
    <Checkbox
      checked={settings.mailsResults}
      onChange={(event) => change.mutate({ mailsResults: event.target.checked })}
    >
      <span className="block font-medium">Письмо, когда результат готов</span>
      <span className="block text-muted">{nb('Если вы не в приложении и других уведомлений нет.')}</span>
    </Checkbox>
  );
}

function useNotificationSettings() {
  return useQuery(notificationSettingsQuery);
}

/** Changes a setting optimistically: it shows at once and is rolled back if the server refuses it. */
function useChangeNotificationSettings() {
  const queryClient = useQueryClient();
  const { queryKey } = notificationSettingsQuery;
  return useMutation({
    mutationFn: (change: Partial<NotificationSettings>) => callApi(changeNotificationSettings, { body: change }),
    onMutate: async (change) => {
      await queryClient.cancelQueries({ queryKey });
      const before = queryClient.getQueryData(queryKey);
      if (before) queryClient.setQueryData(queryKey, { ...before, ...change });
      return before;
    },
    onSuccess: (settings) => void queryClient.setQueryData(queryKey, settings),
    onError: (error, _change, before) => {
      queryClient.setQueryData(queryKey, before);
      toast({
        title: 'Не удалось сохранить настройку',
        description: describeError(error, 'Проверьте сеть и попробуйте ещё раз'),
        tone: 'danger',
      });
    },
  });
}
