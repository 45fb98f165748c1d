import { useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { callApi } from '#pwa/client/api-client.ts';
import { isRefusedFor } from '#pwa/client/api-error.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { toast } from '#pwa/components/toast.ts';
import { toastFailure } from '#pwa/components/toast-failure.ts';
import { logUserAction } from '#pwa/device/log.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { enterSession } from '#pwa/features/session/enter-session.ts';
import { enterBy } from '#pwa/features/session/session-memory.ts';
import type { loginBody } from '#shared/contract/account.ts';
import { ignorePreloadFailure, lazyResolver } from './lazy-resolver.ts';
import { PasswordResetLink } from './password-reset-link.tsx';

const loadSchema = () => import('#shared/contract/account.ts').then(({ loginBody }) => loginBody);

export interface AccountFormProps {
  /** Shared by both tabs, so that it is typed once. */
  email: string;
  onEmailChange: (email: string) => void;
}

export function LoginForm({ email, onEmailChange }: AccountFormProps) {
  const login = useLogin();
  const { register, handleSubmit, formState } = useForm({
    resolver: lazyResolver(loadSchema),
    defaultValues: { email, password: '' },
  });
  return (
    <form
      method="post"
      className="script-only grid gap-5"
      noValidate
      onFocus={() => void loadSchema().catch(ignorePreloadFailure)}
      onSubmit={handleSubmit((body) => login.mutate(body))}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="username"
        error={formState.errors.email?.message}
        {...register('email', { onChange: (event) => onEmailChange(event.target.value) })}
      />
      <div className="grid gap-1">
        <PasswordField
          label="Пароль"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          isWrong={isRefusedFor(login.error, 'invalid_credentials')}
          {...register('password', { onChange: () => login.isError && login.reset() })}
        />
        <PasswordResetLink email={email} className="text-sm inline-flex items-center min-h-11 justify-self-start">
          Забыли пароль?
        </PasswordResetLink>
      </div>
      <Button type="submit" size="lg" wide loading={login.isPending} loadingText="Входим…">
        Войти
      </Button>
    </form>
  );
}

/** Signs in. The guards then redirect from the sign-in page. */
function useLogin() {
  const queryClient = useQueryClient();
  return useSingleMutation({
    mutationFn: async (body: z.input<typeof loginBody>) => {
      const { login } = await import('#shared/contract/account.ts');
      return enterBy(() => callApi(login, { body }));
    },
    onSuccess: (user) => {
      enterSession(queryClient, user);
      toast({ title: 'Успешный вход', tone: 'success' });
      trackEvent('user_login', { login_method: 'email' });
      logUserAction('login');
    },
    onError: (error) => toastFailure('Ошибка входа', error, 'Ошибка при входе'),
  });
}
