import { useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button, type ButtonProps } from '#pwa/components/button.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { nb } from '#pwa/format.ts';

/** For an account that will be deleted. */
export function CancelDeletionButton({ size }: Pick<ButtonProps, 'size'>) {
  const cancelling = useCancelDeletion();
  return (
    <Button
      variant="second"
      size={size}
      className="max-md:w-full"
      loading={cancelling.isPending}
      loadingText="Отменяем…"
      onClick={() => cancelling.mutate()}
    >
      Отменить удаление
    </Button>
  );
}

function useCancelDeletion() {
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
    onError: (error) => toastFailure('Не удалось отменить удаление', error, 'Проверьте сеть и попробуйте ещё раз'),
  });
}
