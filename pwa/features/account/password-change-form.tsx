import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { toast } from '#pwa/components/toast.ts';
import { enterBy } from '#pwa/features/session/session-memory.ts';
import { usePasswordDue } from '#pwa/features/session/use-session-marker.ts';
import { nb } from '#pwa/format.ts';
import { ADMIN_PASSWORD_MIN_LENGTH, PASSWORD_MIN_LENGTH, type User } from '#shared/contract/account.ts';
import { changePassword, changePasswordBody } from '#shared/contract/settings.ts';
import { isShownAtField, showAtField } from './refusals-at-fields.ts';
import { useAccountSessions } from './use-account-sessions.ts';

const AT_FIELDS = {
  wrong_password: 'currentPassword',
  password_common: 'newPassword',
  password_short: 'newPassword',
} as const;
const CHATS_UNKNOWN = 'Если к аккаунту подключён чат, без отметки он будет отключён. Оставляйте, только если он ваш.';
const EMPTY = { currentPassword: '', newPassword: '', keepsChats: false };

export function PasswordChangeForm({ email, isAdmin }: Pick<User, 'email' | 'isAdmin'>) {
  const change = useChangePassword();
  const isPasswordDue = usePasswordDue();
  const sessions = useAccountSessions(!isPasswordDue);
  // While a password is due, the chats are not mentioned, which would be parted all the same.
  const isUnknown = isPasswordDue || sessions.isError;
  const mayHaveChats = isUnknown || (sessions.data?.chats.length ?? 0) > 0;
  const { register, handleSubmit, formState, reset, setError } = useForm({
    resolver: standardSchemaResolver(changePasswordBody),
    defaultValues: EMPTY,
  });
  return (
    <form
      className="grid gap-4"
      noValidate
      onSubmit={handleSubmit((body) =>
        change.mutate(body, {
          onSuccess: () => reset(EMPTY),
          onError: (error) => showAtField(error, AT_FIELDS, setError),
        }),
      )}
    >
      {/* Tells password managers which account the password belongs to. */}
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
        hint={`Не менее ${isAdmin ? ADMIN_PASSWORD_MIN_LENGTH : PASSWORD_MIN_LENGTH} символов. На других устройствах будет выполнен выход.`}
        error={formState.errors.newPassword?.message}
        {...register('newPassword')}
      />
      {mayHaveChats && (
        <Checkbox {...register('keepsChats')}>
          <span className="block font-medium">Оставить доступ чату Telegram</span>
          <span className="block text-muted">
            {nb(isUnknown ? CHATS_UNKNOWN : 'Без отметки чат будет отключён. Оставляйте, только если он ваш.')}
          </span>
        </Checkbox>
      )}
      {change.isError && !isShownAtField(change.error, AT_FIELDS) && (
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

/** Sets a new password. The server replaces this session's token and ends all other sessions. */
export function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { currentPassword: string; newPassword: string; keepsChats?: boolean | undefined }) =>
      enterBy(() => callApi(changePassword, { body })),
    onSuccess: () => {
      // Everything may have been refused while a new password was due.
      void queryClient.invalidateQueries();
      toast({ title: 'Пароль изменён', description: nb('На других устройствах выполнен выход'), tone: 'success' });
    },
  });
}
