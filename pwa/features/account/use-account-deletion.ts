import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { formatLongDate, nb } from '#pwa/format.ts';
import { requestDeletion } from '#shared/contract/settings.ts';
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
