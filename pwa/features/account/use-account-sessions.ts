import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { endOneSession, endOtherSessions, listSessions } from '#shared/contract/settings.ts';

/** Always fetched again, because the list must be current. */
export const sessionsQuery = queryOptions({
  queryKey: ['account-sessions'],
  queryFn: async ({ signal }) => (await callApi(listSessions, undefined, { signal })).sessions,
  staleTime: 0,
});

export function useAccountSessions() {
  return useQuery(sessionsQuery);
}

/** Ends the session with this id; without an id, all sessions but this one. */
export function useEndSessions() {
  const queryClient = useQueryClient();
  const refresh = () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  return useMutation({
    mutationFn: async (id?: string) => {
      await (id ? callApi(endOneSession, { params: { id } }) : callApi(endOtherSessions));
    },
    onSuccess: async (_answer, id) => {
      await refresh();
      toast({ title: id ? 'Сеанс завершён' : 'Остальные сеансы завершены', tone: 'success' });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'session_not_found') void refresh();
      toast({
        title: 'Не удалось завершить сеанс',
        description: describeError(error, 'Пожалуйста, попробуйте позже'),
        tone: 'danger',
      });
    },
  });
}
