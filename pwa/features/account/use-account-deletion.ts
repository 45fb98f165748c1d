import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { formatLongDate, nb } from '#pwa/lib/format.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { cancelDeletion, requestDeletion } from '#shared/contract/settings.ts';
import { sessionsQuery } from './use-account-sessions.ts';

/** Requests the deletion of the account and updates the shown user at once. The caller shows errors. */
export function useRequestDeletion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi(requestDeletion, { body: { password } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      if (user.erasesAt) {
        toast({
          title: nb(`Аккаунт будет удалён ${formatLongDate(user.erasesAt)}`),
          description: nb('Мы отправили письмо с подробностями'),
        });
      }
    },
  });
}

/** Cancels the deletion. */
export function useCancelDeletion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(cancelDeletion),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      toast({
        title: 'Удаление отменено',
        description: nb('Аккаунт остаётся со всем, что в нём есть'),
        tone: 'success',
      });
    },
    onError: (error) =>
      toast({
        title: 'Не удалось отменить удаление',
        description: describeError(error, 'Проверьте сеть и попробуйте ещё раз'),
        tone: 'danger',
      }),
  });
}
