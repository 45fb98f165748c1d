import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { verifyEmail } from '#shared/contract/account.ts';
import { getStarBalance } from '#shared/contract/stars.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';
import { describeCodeError } from './describe-code-error.ts';
import { enterBy } from './session-memory.ts';

/** Confirms the e-mail by the mailed code. The page puts the answered user into the session when it leaves. */
export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (verificationCode: string) =>
      // The session gets another token.
      enterBy(() => callApi(verifyEmail, { body: { verificationCode } })),
    onSuccess: async () => {
      // An address whose deleted account had the sign-up stars does not get them again.
      const balance = await callApi(getStarBalance).then(
        (answer) => answer.balance,
        () => null,
      );
      if (balance !== null) queryClient.setQueryData(QUERY_KEYS.starBalance, balance);
      toast({
        title: 'Email подтвержден',
        description:
          balance !== null && balance >= SIGNUP_BONUS_STARS
            ? `${countStars(SIGNUP_BONUS_STARS)} в подарок уже на вашем балансе`
            : undefined,
        tone: 'success',
      });
    },
    onError: (error) =>
      toast({
        title: 'Ошибка подтверждения',
        description: describeCodeError(error),
        tone: 'danger',
      }),
  });
}
