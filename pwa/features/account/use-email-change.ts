import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { enterBy, rememberUser } from '#pwa/features/session/session-memory.ts';
import { nb } from '#pwa/format.ts';
import { correctEmail } from '#shared/contract/account.ts';
import { askEmailChange, confirmEmailChange } from '#shared/contract/settings.ts';
import { noteCodeRefused, noteCodeSent, noteCodeUnsent } from './code-resend.ts';
import { sessionsQuery } from './use-account-sessions.ts';

export interface EmailChange {
  email: string;
  currentPassword: string;
}

/** Changes the address of an unconfirmed account. The server mails a code to the new one. */
export function useCorrectEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => callApi(correctEmail, { body: { email } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      rememberUser(user);
      noteCodeSent({ purpose: 'verify_email', email: user.email });
      showCodeSentToast();
    },
    onError: (error, email) => {
      noteCodeRefused({ purpose: 'verify_email', email }, error);
      // The address has changed even though the mail was not sent.
      if (!isRefusedFor(error, 'mail_not_sent')) return;
      noteCodeUnsent({ purpose: 'verify_email', email });
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.user });
    },
  });
}

/** Mails a code to the address that the account is to get. */
export function useAskEmailChange() {
  return useSingleMutation({
    mutationFn: (body: EmailChange) => callApi(askEmailChange, { body }),
    onSuccess: (_answer, { email }) => {
      noteCodeSent({ purpose: 'change_email', email });
      showCodeSentToast();
    },
    onError: (error, { email }) => noteCodeRefused({ purpose: 'change_email', email }, error),
  });
}

/**
 * Changes the account's address with the mailed code. The server replaces this session's token and ends all other
 * sessions.
 */
export function useConfirmEmailChange() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => enterBy(() => callApi(confirmEmailChange, { body: { code } })),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      rememberUser(user);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      toast({ title: 'Email изменён', description: nb('На других устройствах выполнен выход'), tone: 'success' });
    },
  });
}

function showCodeSentToast(): void {
  toast({ title: 'Код отправлен', description: nb('Письмо с кодом идёт на новый адрес'), tone: 'success' });
}
