import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { getVerificationWait, resendVerification } from '#shared/contract/account.ts';
import { noteCodeRefused, noteCodeSent } from './code-resend.ts';

/** Learns from the server when another confirmation code may be asked for: the last one may be from another tab or device. */
export function useVerificationWait(email: string | undefined): void {
  const { data: waitSeconds } = useQuery({
    queryKey: ['verification-wait', email],
    queryFn: async ({ signal }) => (await callApi(getVerificationWait, undefined, { signal })).retryAfter,
    enabled: email !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    if (email !== undefined && waitSeconds !== undefined) noteCodeSent({ purpose: 'verify_email', email }, waitSeconds);
  }, [email, waitSeconds]);
}

/** Mails another confirmation code to the account's address. */
export function useResendCode() {
  return useMutation({
    mutationFn: (_email: string) => callApi(resendVerification),
    onSuccess: (_answer, email) => {
      noteCodeSent({ purpose: 'verify_email', email });
      toast({ title: 'Код отправлен', description: 'Новый код отправлен на ваш email', tone: 'success' });
    },
    onError: (error, email) => {
      noteCodeRefused({ purpose: 'verify_email', email }, error);
      toast({
        title: 'Ошибка отправки кода',
        description: describeError(error, 'Ошибка при отправке кода верификации'),
        tone: 'danger',
      });
    },
  });
}
