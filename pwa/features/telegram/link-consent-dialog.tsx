import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm } from 'react-hook-form';
import { ApiError, describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { Skeleton } from '#pwa/components/skeleton.tsx';
import { nb } from '#pwa/format.ts';
import { createTelegramLinkBody } from '#shared/contract/telegram.ts';

const FORM_ID = 'link-telegram';
/** Refusals after which another password may help. */
const ABOUT_PASSWORD = ['wrong_password', 'too_many_requests'];

export interface LinkConsentDialogProps {
  email: string;
  action: string;
  /** The subject of the sentence that says who gets access. Null while it is not known. */
  who: string | null;
  /** What becomes of what the chat has. */
  moving: string;
  isPending: boolean;
  error: Error | null;
  onClose: () => void;
  onConfirm: (password: string) => void;
}

/** Says who gets what, and asks for the password, because a chat keeps its access until somebody takes it. */
export function LinkConsentDialog({
  email,
  action,
  who,
  moving,
  isPending,
  error,
  onClose,
  onConfirm,
}: LinkConsentDialogProps) {
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(createTelegramLinkBody),
    defaultValues: { password: '' },
  });
  const code = error instanceof ApiError ? error.code : null;
  const isFinal = error !== null && code !== null && !ABOUT_PASSWORD.includes(code);
  const isWrongPassword = code === 'wrong_password';
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!isPending}
      size="sm"
      title="Связать Telegram?"
      footer={
        <>
          <Button variant="second" onClick={onClose} disabled={isPending}>
            {isFinal ? 'Закрыть' : 'Отмена'}
          </Button>
          {who !== null && !isFinal && (
            <Button type="submit" form={FORM_ID} loading={isPending} loadingText="Проверяем…">
              {action}
            </Button>
          )}
        </>
      }
    >
      {who === null && !error && <Skeleton className="h-16" />}
      {who !== null && !isFinal && (
        <>
          <p className="break-words">
            <span className="font-semibold">{who}</span>
            {nb(' получит доступ к аккаунту ')}
            <span className="font-semibold">{email}</span>
            {nb(
              ': увидит ваши фото, видео и изображения, сможет создавать новые и тратить ваши звёзды. Связывайте, только если это ваш чат.',
            )}
          </p>
          <p className="text-sm text-muted mt-3">{nb(`${moving} Подарок за регистрацию считается один раз.`)}</p>
          <form
            id={FORM_ID}
            className="grid gap-3 mt-5"
            noValidate
            onSubmit={handleSubmit(({ password }) => onConfirm(password))}
          >
            {/* Tells password managers which account the password belongs to. */}
            <input type="text" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              label="Пароль от аккаунта"
              autoComplete="current-password"
              error={formState.errors.password?.message ?? (isWrongPassword ? describeError(error, '') : undefined)}
              {...register('password')}
            />
          </form>
        </>
      )}
      {error && !isWrongPassword && (
        <ErrorNote>{describeError(error, 'Не удалось связать. Попробуйте ещё раз')}</ErrorNote>
      )}
    </Dialog>
  );
}
