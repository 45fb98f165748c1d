import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { changePasswordBody } from '#shared/contract/settings.ts';
import { useChangePassword } from './use-change-password.ts';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordChangeForm({ email }: { email: string }) {
  const change = useChangePassword();
  const { register, handleSubmit, formState, reset, setError } = useForm({
    resolver: standardSchemaResolver(changePasswordBody),
    defaultValues: EMPTY,
  });
  const isWrongPassword = change.error instanceof ApiError && change.error.code === 'wrong_password';
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={handleSubmit((body) =>
        change.mutate(body, {
          onSuccess: () => reset(EMPTY),
          onError: (error) => {
            if (!(error instanceof ApiError) || error.code !== 'wrong_password') return;
            setError('currentPassword', { message: error.message }, { shouldFocus: true });
          },
        }),
      )}
    >
      {/* Tells password managers whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Текущий пароль"
        autoComplete="current-password"
        error={formState.errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <PasswordField
        label="Новый пароль"
        autoComplete="new-password"
        hint="Не менее 6 символов. На других устройствах будет выполнен выход."
        error={formState.errors.newPassword?.message}
        {...register('newPassword')}
      />
      {change.isError && !isWrongPassword && (
        <ErrorNote>{describeError(change.error, 'Не удалось изменить пароль')}</ErrorNote>
      )}
      <Button
        type="submit"
        variant="second"
        className="md:justify-self-start"
        loading={change.isPending}
        loadingText="Меняем пароль…"
      >
        Изменить пароль
      </Button>
    </form>
  );
}
