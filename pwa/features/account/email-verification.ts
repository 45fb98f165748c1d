import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { enterBy } from '#pwa/features/session/session-memory.ts';
import { getVerificationWait, resendVerification, verifyEmail } from '#shared/contract/account.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { noteCodeRefused, noteCodeSent } from './code-resend.ts';
import { describeRefusedCode } from './describe-code-error.ts';
import { SIGNUP_STARS_REFUSALS } from './signup-stars-words.ts';

/** Confirms the e-mail with the mailed code. The page puts the returned user into the session when it is left. */
export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (verificationCode: string) =>
      // The answer replaces the session's token.
      enterBy(() => callApi(verifyEmail, { body: { verificationCode } })),
    onSuccess: async ({ signupStarsRefused }) => {
      const balance = await callApi(getStarBalance).then(
        (answer) => answer.balance,
        () => null,
      );
      if (balance !== null) queryClient.setQueryData(QUERY_KEYS.starBalance, balance);
      toast({
        title: 'Email подтвержден',
        description: signupStarsRefused
          ? SIGNUP_STARS_REFUSALS[signupStarsRefused]
          : balance !== null && balance >= SIGNUP_BONUS_STARS
            ? `${countStars(SIGNUP_BONUS_STARS)} в подарок уже на вашем балансе`
            : undefined,
        tone: 'success',
      });
    },
    onError: (error) =>
      toast({
        title: 'Ошибка подтверждения',
        description: describeRefusedCode(error),
        tone: 'danger',
      }),
  });
}

/**
 * Starts the wait for another confirmation code that the server knows of. The last code may have been requested in
 * another tab or on another device.
 */
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
  return useSingleMutation({
    mutationFn: (_email: string) => callApi(resendVerification),
    onSuccess: (_answer, email) => {
      noteCodeSent({ purpose: 'verify_email', email });
      toast({ title: 'Код отправлен', description: 'Новый код отправлен на ваш email', tone: 'success' });
    },
    onError: (error, email) => {
      noteCodeRefused({ purpose: 'verify_email', email }, error);
      toastFailure('Ошибка отправки кода', error, 'Ошибка при отправке кода верификации');
    },
  });
}
