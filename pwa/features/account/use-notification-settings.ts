import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
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

export function useNotificationSettings() {
  return useQuery(notificationSettingsQuery);
}

/** Changes a setting; it shows at once and goes back when the server does not take it. */
export function useChangeNotificationSettings() {
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
