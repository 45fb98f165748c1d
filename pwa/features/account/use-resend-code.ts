import { useMutation } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { resendVerification } from '#shared/contract/account.ts';
import { noteCodeRefused, noteCodeSent } from './code-resend.ts';

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
