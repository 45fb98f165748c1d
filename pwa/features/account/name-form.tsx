import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { describeError } from '#pwa/lib/api-error.ts';
import type { User } from '#shared/contract/account.ts';
import { changeNameBody } from '#shared/contract/settings.ts';
import { useChangeName } from './use-change-name.ts';

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
