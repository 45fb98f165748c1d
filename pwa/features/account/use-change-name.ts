import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { changeName } from '#shared/contract/settings.ts';
import { rememberUser } from './session-memory.ts';

/** Changes the shown name here and in the header. */
export function useChangeName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => callApi(changeName, { body: { username } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      rememberUser(user);
      toast({ title: 'Имя изменено', tone: 'success' });
    },
  });
}
