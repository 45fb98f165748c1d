import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { nb } from '#pwa/lib/format.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { useSingleMutation } from '#pwa/lib/use-single-mutation.ts';

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
