import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { CHANGED_BY, QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import {
  changeTelegram,
  createTelegramLink,
  getTelegram,
  linkTelegram,
  previewTelegramLink,
  type TelegramState,
  unlinkTelegram,
} from '#shared/contract/telegram.ts';

/** The link is made in another app, so this page polls for it. */
const WAIT_POLL_MS = 3_000;
const FAILURE_HINT = 'Проверьте сеть и попробуйте ещё раз';

const telegramQuery = queryOptions({
  queryKey: QUERY_KEYS.telegram,
  queryFn: ({ signal }) => callApi(getTelegram, undefined, { signal }),
  staleTime: 0,
});

/** The state of the link. `isWaiting`: the person has gone to Telegram to link the account. */
export function useTelegram(isWaiting = false) {
  return useQuery({ ...telegramQuery, refetchInterval: isWaiting ? WAIT_POLL_MS : false });
}

/** Creates an address that opens the bot and links the account. Refusals are shown in its dialog. */
export function useTelegramAddress() {
  return useMutation({
    mutationFn: (password: string) => callApi(createTelegramLink, { body: { password } }),
  });
}

/** The Telegram account that a token would link. */
export function useTelegramPreview(token: string) {
  return useQuery({
    queryKey: ['telegram-preview', token],
    queryFn: ({ signal }) => callApi(previewTelegramLink, { body: { token } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

export function useLinkTelegram() {
  const accept = useAcceptState();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { token: string; password: string }) => callApi(linkTelegram, { body }),
    onSuccess: (state) => {
      accept(state);
      // Stars and results from the bot have been merged into the account.
      for (const queryKey of CHANGED_BY.merge) void queryClient.invalidateQueries({ queryKey });
      toast({ title: 'Telegram связан', tone: 'success' });
    },
  });
}

export function useTellsResults() {
  const accept = useAcceptState();
  const queryClient = useQueryClient();
  return useMutation({
    // A fetch that is under way would bring the former setting back.
    onMutate: () => queryClient.cancelQueries({ queryKey: telegramQuery.queryKey }),
    mutationFn: (tellsResults: boolean) => callApi(changeTelegram, { body: { tellsResults } }),
    onSuccess: accept,
    onError: (error) => toastFailure('Не удалось сохранить настройку', error, FAILURE_HINT),
  });
}

export function useUnlinkTelegram() {
  const accept = useAcceptState();
  return useMutation({
    mutationFn: () => callApi(unlinkTelegram),
    onSuccess: (state) => {
      accept(state);
      toast({ title: 'Связь с Telegram разорвана', tone: 'success' });
    },
    onError: (error) => toastFailure('Не удалось разорвать связь', error, FAILURE_HINT),
  });
}

function useAcceptState() {
  const queryClient = useQueryClient();
  return (state: TelegramState) => {
    queryClient.setQueryData(telegramQuery.queryKey, state);
    // Chats stand among the sessions, too.
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.accountSessions });
  };
}
