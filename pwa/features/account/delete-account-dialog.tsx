import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { toast } from '#pwa/components/toast.ts';
import { formatLongDate, nb } from '#pwa/format.ts';
import { askDeletionBody, requestDeletion } from '#shared/contract/settings.ts';
import { DELETION_GRACE_DAYS } from '#shared/rules/retention.ts';
import { isShownAtField, showAtField } from './refusals-at-fields.ts';
import { sessionsQuery } from './use-account-sessions.ts';

const AT_FIELDS = { wrong_password: 'password' } as const;
const FORM_ID = 'delete-account';

/** Says what is deleted and what is kept, and asks for the password. */
export function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const asking = useRequestDeletion();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: standardSchemaResolver(askDeletionBody),
    defaultValues: { password: '' },
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Удалить аккаунт?"
      description={nb(`Удалим через ${DELETION_GRACE_DAYS} дней. До этого удаление можно отменить.`)}
      size="sm"
      canClose={!asking.isPending}
      footer={
        <>
          <Button variant="second" disabled={asking.isPending} onClick={onClose}>
            Отмена
          </Button>
          <Button
            type="submit"
            form={FORM_ID}
            className="!bg-danger !text-canvas"
            loading={asking.isPending}
            loadingText="Отправляем…"
          >
            Удалить аккаунт
          </Button>
        </>
      }
    >
      <ul className="list-disc pl-5 grid gap-1 text-sm">
        <li>{nb('Исчезнут имя, email, фото, видео и изображения.')}</li>
        <li>{nb('Неизрасходованные звёзды пропадут.')}</li>
        <li>{nb('На остальных устройствах будет выполнен выход, создавать и покупать станет нельзя.')}</li>
        <li>{nb('Записи о платежах и звёздах останутся без имени и адреса: этого требует закон.')}</li>
      </ul>
      <form
        id={FORM_ID}
        className="grid gap-3 mt-5"
        noValidate
        onSubmit={handleSubmit(({ password }) =>
          asking.mutate(password, {
            onSuccess: onClose,
            onError: (error) => showAtField(error, AT_FIELDS, setError),
          }),
        )}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Пароль"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
        {asking.isError && !isShownAtField(asking.error, AT_FIELDS) && (
          <ErrorNote>{describeError(asking.error, 'Не удалось отправить запрос. Попробуйте ещё раз')}</ErrorNote>
        )}
      </form>
    </Dialog>
  );
}

/** Requests the deletion of the account and updates the shown user at once. The caller shows errors. */
function useRequestDeletion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (password: string) => callApi(requestDeletion, { body: { password } }),
    onSuccess: (user) => {
      queryClient.setQueryData(QUERY_KEYS.user, user);
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      if (user.erasesAt) {
        toast({
          title: nb(`Аккаунт будет удалён ${formatLongDate(user.erasesAt)}`),
          description: nb('Мы отправили письмо с подробностями'),
        });
      }
    },
  });
}
