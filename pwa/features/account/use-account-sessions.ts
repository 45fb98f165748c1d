import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { endOneSession, endOtherSessions, listSessions } from '#shared/contract/settings.ts';
import { unlinkTelegram } from '#shared/contract/telegram.ts';

/** Always fetched again, because the list must be current. */
export const sessionsQuery = queryOptions({
  queryKey: QUERY_KEYS.accountSessions,
  queryFn: ({ signal }) => callApi(listSessions, undefined, { signal }),
  staleTime: 0,
});

export function useAccountSessions(enabled = true) {
  return useQuery({ ...sessionsQuery, enabled });
}

/** Takes the chat's access to the account. */
export function useEndChat() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => callApi(unlinkTelegram),
    onSuccess: async () => {
      await refresh();
      toast({ title: 'Чат отключён', tone: 'success' });
    },
    onError: (error) => toastFailure('Не удалось отключить чат', error, 'Проверьте сеть и попробуйте ещё раз'),
  });
}

function useRefresh() {
  const queryClient = useQueryClient();
  return async () => {
    // The settings show the chat of the account, too.
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.telegram });
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
}

/** Ends the session with this id; without an id, all sessions but this one, and the access of chats. */
export function useEndSessions() {
  const refresh = useRefresh();
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
      toastFailure('Не удалось завершить сеанс', error, 'Пожалуйста, попробуйте позже');
    },
  });
}
