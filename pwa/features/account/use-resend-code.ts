import { useMutation } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { resendVerification } from '#shared/contract/account.ts';
import { noteCodeSent } from './code-resend.ts';

/** Mails another confirmation code. */
export function useResendCode() {
  return useMutation({
    mutationFn: () => callApi(resendVerification),
    onSuccess: () => {
      noteCodeSent();
      toast({ title: 'Код отправлен', description: 'Новый код отправлен на ваш email', tone: 'success' });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'code_requested_too_soon') {
        noteCodeSent(error.details.retryAfter);
      }
      toast({
        title: 'Ошибка отправки кода',
        description: describeError(error, 'Ошибка при отправке кода верификации'),
        tone: 'danger',
      });
    },
  });
}
