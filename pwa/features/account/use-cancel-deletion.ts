import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { nb } from '#pwa/format.ts';

/** Cancels the deletion. */
export function useCancelDeletion() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    // Loaded late, because hardly anybody needs it, and every page of the app can show its button.
    mutationFn: async () => callApi((await import('#shared/contract/settings.ts')).cancelDeletion),
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
