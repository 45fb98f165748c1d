import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { logUserAction } from '#pwa/lib/log.ts';
import { logout } from '#shared/contract/account.ts';
import { queueLogout } from './pending-logout.ts';
import { leaveSession } from './session-changes.ts';

/** Signs out and leaves nothing of the account on the device, with or without network. */
export function useLogout(goToAuth: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await callApi(logout);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 0) throw error;
        queueLogout();
      }
    },
    onSuccess: async () => {
      await leaveSession(queryClient);
      goToAuth();
      toast({ title: 'Выход из системы', tone: 'success' });
      logUserAction('logout');
    },
    onError: (error) =>
      toast({ title: 'Ошибка при выходе', description: describeError(error, 'Попробуйте ещё раз'), tone: 'danger' }),
  });
}
