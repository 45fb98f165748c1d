import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { logUserAction } from '#pwa/lib/log.ts';
import { trackEvent } from '#pwa/lib/tag-manager.ts';
import type { loginBody } from '#shared/contract/account.ts';
import { enterSession } from './enter-session.ts';
import { enterBy } from './session-memory.ts';

/** Signs in; the guards then lead away from the sign-in page. */
export function useLogin() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: z.input<typeof loginBody>) => {
      const { login } = await import('#shared/contract/account.ts');
      return enterBy(() => callApi(login, { body }));
    },
    onSuccess: (user) => {
      enterSession(queryClient, user);
      toast({ title: 'Успешный вход', tone: 'success' });
      trackEvent('user_login', { login_method: 'email' });
      logUserAction('login');
    },
    onError: (error) =>
      toast({ title: 'Ошибка входа', description: describeError(error, 'Ошибка при входе'), tone: 'danger' }),
  });
}
