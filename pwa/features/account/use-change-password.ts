import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { nb } from '#pwa/lib/format.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { changePassword } from '#shared/contract/settings.ts';
import { enterBy } from './session-memory.ts';
import { sessionsQuery } from './use-account-sessions.ts';

/** Sets a new password; this session gets another token, and every other one ends. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string }) =>
      enterBy(() => callApi(changePassword, { body })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      // Whether one is due stands with the user.
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.user });
      toast({ title: 'Пароль изменён', description: nb('На других устройствах выполнен выход'), tone: 'success' });
    },
  });
}
