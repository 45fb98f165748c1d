import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { callApi } from '#pwa/client/api-client.ts';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { enterSession } from '#pwa/features/session/enter-session.ts';
import { enterBy } from '#pwa/features/session/session-memory.ts';
import { nb } from '#pwa/format.ts';
import { DOCUMENTS_VERSION } from '#shared/rules/legal-documents.ts';
import { noteCodeSent, noteCodeUnsent } from './code-resend.ts';
import { ConsentBoxes } from './consent-boxes.tsx';
import { ignorePreloadFailure, lazyResolver } from './lazy-resolver.ts';
import type { AccountFormProps } from './login-form.tsx';
import { PasswordResetLink } from './password-reset-link.tsx';
import { isShownAtField, showAtField } from './refusals-at-fields.ts';

const AT_FIELDS = { password_common: 'password' } as const;
const loadSchema = () => import('./registration-schema.ts').then(({ registrationSchema }) => registrationSchema);

/** `onSignIn` runs when the address already has an account and the person wants to sign in. */
export function RegisterForm({ email, onEmailChange, onSignIn }: AccountFormProps & { onSignIn: () => void }) {
  const registration = useRegister();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: lazyResolver(loadSchema),
    defaultValues: { email, password: '', acceptPolicy: false, acceptDataProcessing: false },
  });
  const { errors } = formState;
  return (
    <form
      method="post"
      className="script-only grid gap-5"
      noValidate
      onFocus={() => void loadSchema().catch(ignorePreloadFailure)}
      onSubmit={handleSubmit(({ email, password }) =>
        registration.mutate({ email, password }, { onError: (error) => showAtField(error, AT_FIELDS, setError) }),
      )}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        error={errors.email?.message}
        isWrong={isRefusedFor(registration.error, 'email_taken')}
        {...register('email', { onChange: (event) => onEmailChange(event.target.value) })}
      />
      <PasswordField
        label="Пароль"
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <ConsentBoxes
        acceptPolicy={register('acceptPolicy')}
        acceptDataProcessing={register('acceptDataProcessing')}
        errors={errors}
      />
      {isRefusedFor(registration.error, 'email_taken') && <WaysIn email={email} onSignIn={onSignIn} />}
      <Button type="submit" size="lg" wide loading={registration.isPending} loadingText="Регистрируем…">
        Зарегистрироваться
      </Button>
    </form>
  );
}

/**
 * Creates an account and signs in. The guards then redirect to the confirmation of the e-mail. The consent is to the
 * documents that this page shows, whose texts may be older than the server's.
 */
function useRegister() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async ({ email, password }: { email: string; password: string }) => {
      const { register } = await import('#shared/contract/account.ts');
      return enterBy(() => callApi(register, { body: { email, password, consentVersion: DOCUMENTS_VERSION } }));
    },
    onSuccess: ({ needEmailVerification, codeWasSent, ...user }) => {
      if (needEmailVerification) {
        (codeWasSent ? noteCodeSent : noteCodeUnsent)({ purpose: 'verify_email', email: user.email });
      }
      // Only one toast is shown at a time, so this one says both.
      toast({
        title: 'Успешная регистрация',
        description: needEmailVerification ? describeNextStep(codeWasSent) : undefined,
        tone: 'success',
      });
      enterSession(queryClient, user);
      trackEvent('user_registration', { registration_method: 'email' });
    },
    onError: (error) => {
      if (isShownAtField(error, AT_FIELDS)) return;
      toastFailure('Ошибка регистрации', error, 'Ошибка при регистрации');
    },
  });
}

function describeNextStep(codeWasSent: boolean): string {
  return nb(
    codeWasSent
      ? 'Требуется подтверждение email: проверьте почту и введите код'
      : 'Требуется подтверждение email, но письмо с кодом отправить не удалось. Отправьте код ещё раз',
  );
}

/** For an address that has an account. The toast has said so. */
function WaysIn({ email, onSignIn }: { email: string; onSignIn: () => void }) {
  return (
    <p className="text-sm">
      <button type="button" className="link" onClick={onSignIn}>
        Войти с этим email
      </button>{' '}
      или <PasswordResetLink email={email}>восстановить пароль</PasswordResetLink>
    </p>
  );
}
