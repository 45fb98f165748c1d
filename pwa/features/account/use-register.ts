import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#pwa/components/toast.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { describeError } from '#pwa/lib/api-error.ts';
import { nb } from '#pwa/lib/format.ts';
import { trackEvent } from '#pwa/lib/tag-manager.ts';
import { LEGAL_DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { noteCodeSent } from './code-resend.ts';
import { enterSession } from './enter-session.ts';
import { enterBy } from './session-memory.ts';

const mutationKey = ['register'];

/** Creates an account and signs in; the guards then lead to the confirmation of the e-mail. */
export function useRegister() {
  const queryClient = useQueryClient();
  const registration = useMutation({
    mutationKey,
    mutationFn: async ({ email, password }: { email: string; password: string }) => {
      const { register } = await import('#shared/contract/account.ts');
      return enterBy(() => callApi(register, { body: { email, password, consentVersion: LEGAL_DOCUMENTS_VERSION } }));
    },
    onSuccess: ({ needEmailVerification, ...user }) => {
      if (needEmailVerification) noteCodeSent({ purpose: 'verify_email', email: user.email });
      // One toast is shown at a time: both facts go into one.
      toast({
        title: 'Успешная регистрация',
        description: needEmailVerification
          ? nb('Требуется подтверждение email: проверьте почту и введите код')
          : undefined,
        tone: 'success',
      });
      enterSession(queryClient, user);
      trackEvent('user_registration', { registration_method: 'email' });
    },
    onError: (error) =>
      toast({
        title: 'Ошибка регистрации',
        description: describeError(error, 'Ошибка при регистрации'),
        tone: 'danger',
      }),
  });
  return {
    ...registration,
    /** Once at a time: a second press may come before the button is drawn as one that waits. */
    mutate: (account: { email: string; password: string }) => {
      if (queryClient.isMutating({ mutationKey }) === 0) registration.mutate(account);
    },
  };
}
