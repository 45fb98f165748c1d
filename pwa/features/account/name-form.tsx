import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { toast } from '#pwa/components/toast.ts';
import { rememberUser } from '#pwa/features/session/session-memory.ts';
import type { User } from '#shared/contract/account.ts';
import { changeName, changeNameBody } from '#shared/contract/settings.ts';

export function NameForm({ user }: { user: User }) {
  const change = useChangeName();
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(changeNameBody),
    // Another tab may rename the account.
    values: { username: user.username },
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={handleSubmit(({ username }) => change.mutate(username))}>
      <Field
        label="Имя пользователя"
        autoComplete="nickname"
        error={formState.errors.username?.message}
        {...register('username')}
      />
      {change.isError && <ErrorNote>{describeError(change.error, 'Не удалось изменить имя')}</ErrorNote>}
      <Button
        type="submit"
        variant="second"
        className="md:justify-self-start"
        loading={change.isPending}
        loadingText="Сохраняем…"
      >
        Сохранить имя
      </Button>
    </form>
  );
}

/** Changes the name of the account and of the session marker. */
function useChangeName() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => callApi(changeName, { body: { username } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      rememberUser(user);
      toast({ title: 'Имя изменено', tone: 'success' });
    },
  });
}
