import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { describeError } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { Checkbox } from '#pwa/components/checkbox.tsx';
import { CodeInput } from '#pwa/components/code-input.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { readTypedEmail } from '#pwa/features/account/password-reset-link.tsx';
import { isShownAtField, showAtField } from '#pwa/features/account/refusals-at-fields.ts';
import { ResendCodeButton } from '#pwa/features/account/resend-code-button.tsx';
import { forgetResetStep, readResetStep } from '#pwa/features/account/reset-step.ts';
import {
  useRequestPasswordReset,
  useResetPassword,
  wasMailedBefore,
} from '#pwa/features/account/use-password-reset.ts';
import { nb } from '#pwa/format.ts';
import { buildSignInPath, readNextPath } from '#pwa/paths.ts';
import { requestPasswordReset, resetPassword } from '#shared/contract/account.ts';
import { PATHS } from '#shared/rules/app-paths.ts';

const AT_FIELDS = { password_common: 'password' } as const;

/** Two steps: the e-mail address, then the mailed code with the new password. A reload stays in the current step. */
export default function PasswordResetPage() {
  const [email, setEmail] = useState(readResetStep);
  const { search } = useLocation();
  const startAgain = () => {
    forgetResetStep();
    setEmail(null);
  };
  return (
    <div className="flex justify-center px-5 py-10 md:py-24">
      <div className="w-full max-w-[440px]">
        <KeyRound className="ic ic-l" />
        {email === null ? (
          <RequestStep onSent={setEmail} />
        ) : (
          <NewPasswordStep email={email} onOtherEmail={startAgain} />
        )}
        <p className="mt-6 text-sm">
          <Link className="link inline-flex items-center min-h-11" to={buildSignInPath(search)}>
            Вернуться ко входу
          </Link>
        </p>
      </div>
    </div>
  );
}

function RequestStep({ onSent }: { onSent: (email: string) => void }) {
  const request = useRequestPasswordReset();
  const typedEmail = readTypedEmail(useLocation().state);
  const { register, handleSubmit, formState } = useForm({
    resolver: standardSchemaResolver(requestPasswordReset.body),
    defaultValues: { email: typedEmail },
  });
  const send = handleSubmit(({ email }) =>
    request.mutate(email, {
      onSuccess: () => onSent(email),
      // A code that was mailed before can still be entered.
      onError: (error) => wasMailedBefore(error) && onSent(email),
    }),
  );
  return (
    <>
      <h1 className="ptitle mt-5">Восстановление пароля</h1>
      <p className="text-muted mt-3 text-lg">{nb('Укажите email, и мы пришлём код для нового пароля.')}</p>
      <form className="grid gap-5 mt-8" noValidate onSubmit={send}>
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          error={formState.errors.email?.message}
          {...register('email')}
        />
        <Button type="submit" size="lg" wide loading={request.isPending} loadingText="Отправляем…">
          Получить код
        </Button>
      </form>
    </>
  );
}

function NewPasswordStep({ email, onOtherEmail }: { email: string; onOtherEmail: () => void }) {
  const reset = useResetPassword();
  const request = useRequestPasswordReset();
  const navigate = useNavigate();
  const { search } = useLocation();
  const { register, control, handleSubmit, resetField, setError, formState } = useForm({
    resolver: standardSchemaResolver(resetPassword.body),
    defaultValues: { email, code: '', password: '', keepsChats: false },
  });
  const { errors } = formState;
  const save = handleSubmit((body) =>
    reset.mutate(body, {
      onSuccess: () => void navigate(readNextPath(search) ?? PATHS.app, { replace: true }),
      onError: (error) => showAtField(error, AT_FIELDS, setError),
    }),
  );
  const forgetCode = () => {
    resetField('code');
    reset.reset();
  };
  return (
    <>
      <h1 className="ptitle mt-5">Новый пароль</h1>
      <p className="text-muted mt-3 text-lg">
        {nb('Если аккаунт ')}
        <b className="text-ink font-semibold break-words">{email}</b>
        {nb(' существует, код из 6 символов уже в письме.')}
      </p>
      <form className="grid gap-5 mt-8" noValidate onSubmit={save}>
        <Controller
          name="code"
          control={control}
          render={({ field }) => (
            <CodeInput
              ref={field.ref}
              value={field.value}
              onChange={field.onChange}
              label="Код из письма"
              error={errors.code?.message}
              autoFocus
            />
          )}
        />
        <PasswordField
          label="Новый пароль"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <Checkbox {...register('keepsChats')}>
          <span className="block font-medium">Оставить доступ чату Telegram</span>
          <span className="block text-muted">
            {nb('Если к аккаунту подключён чат, без отметки он будет отключён. Оставляйте, только если он ваш.')}
          </span>
        </Checkbox>
        {reset.isError && !isShownAtField(reset.error, AT_FIELDS) && (
          <ErrorNote>{describeError(reset.error, 'Не удалось изменить пароль. Попробуйте ещё раз')}</ErrorNote>
        )}
        <Button type="submit" size="lg" wide loading={reset.isPending} loadingText="Сохраняем…">
          Сохранить пароль
        </Button>
      </form>
      <ResendCodeButton
        code={{ purpose: 'reset_password', email }}
        isSending={request.isPending}
        onResend={() => request.mutate(email, { onSuccess: forgetCode })}
      />
      <Button variant="quiet" wide onClick={onOtherEmail}>
        Указать другой email
      </Button>
    </>
  );
}
