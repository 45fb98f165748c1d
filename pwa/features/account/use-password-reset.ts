import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#pwa/client/api-client.ts';
import { ApiError } from '#pwa/client/api-error.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { enterSession } from '#pwa/features/session/enter-session.ts';
import { enterBy } from '#pwa/features/session/session-memory.ts';
import { requestPasswordReset, resetPassword } from '#shared/contract/account.ts';
import { noteCodeRefused, noteCodeSent } from './code-resend.ts';
import { forgetResetStep, rememberResetStep } from './reset-step.ts';
import { SIGNUP_STARS_REFUSALS } from './signup-stars-words.ts';

/** Requests a reset code. The answer is the same for known and unknown addresses. */
export function useRequestPasswordReset() {
  return useSingleMutation({
    mutationFn: (email: string) => callApi(requestPasswordReset, { body: { email } }),
    onSuccess: (_answer, email) => {
      noteCodeSent({ purpose: 'reset_password', email });
      rememberResetStep(email);
      toast({ title: 'Код отправлен', description: 'Если такой аккаунт есть, письмо уже в пути' });
    },
    onError: (error, email) => {
      noteCodeRefused({ purpose: 'reset_password', email }, error);
      if (wasMailedBefore(error)) rememberResetStep(email);
      toastFailure('Ошибка отправки кода', error, 'Не удалось отправить код. Попробуйте ещё раз');
    },
  });
}

/** Whether a code was refused because of codes that were mailed to the address before. */
export function wasMailedBefore(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** Sets a new password with the mailed code and signs in. */
export function useResetPassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; code: string; password: string; keepsChats?: boolean | undefined }) =>
      enterBy(() => callApi(resetPassword, { body })),
    onSuccess: ({ signupStarsRefused, ...user }) => {
      forgetResetStep();
      enterSession(queryClient, user);
      const description = signupStarsRefused
        ? SIGNUP_STARS_REFUSALS[signupStarsRefused]
        : 'На других устройствах нужно войти снова';
      toast({ title: 'Пароль изменён', description, tone: 'success' });
    },
  });
}
