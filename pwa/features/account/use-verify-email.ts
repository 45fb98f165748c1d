import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { verifyEmail } from '#shared/contract/account.ts';
import { countStars } from '#shared/rules/plurals.ts';
import { SIGNUP_BONUS_STARS } from '#shared/rules/prices.ts';

/** Confirms the e-mail by the mailed code. The page puts the answered user into the session when it leaves. */
export function useVerifyEmail() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (verificationCode: string) => callApi(verifyEmail, { body: { verificationCode } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
      toast({
        title: 'Email подтвержден',
        description: `${countStars(SIGNUP_BONUS_STARS)} в подарок уже на вашем балансе`,
        tone: 'success',
      });
    },
    onError: (error) =>
      toast({
        title: 'Ошибка подтверждения',
        description: describeError(error, 'Неверный код подтверждения'),
        tone: 'danger',
      }),
  });
}
