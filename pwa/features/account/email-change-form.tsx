import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { type FormEvent, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { CodeInput } from '#pwa/components/code-input.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { nb } from '#pwa/format.ts';
import { VERIFICATION_CODE_LENGTH } from '#shared/contract/account.ts';
import { changeEmailBody } from '#shared/contract/settings.ts';
import { describeCodeError, isCodeRefused } from './describe-code-error.ts';
import { isShownAtField, showAtField } from './refusals-at-fields.ts';
import { ResendCodeButton } from './resend-code-button.tsx';
import { type EmailChange, useAskEmailChange, useConfirmEmailChange } from './use-email-change.ts';

const AT_FIELDS = { wrong_password: 'currentPassword' } as const;
const FAILED = 'Не удалось отправить код. Попробуйте ещё раз';

/** Two steps: the new address with the password, then the code mailed to that address. */
export function EmailChangeForm() {
  const [asked, setAsked] = useState<EmailChange | null>(null);
  if (!asked) return <AddressStep onSent={setAsked} />;
  return <CodeStep asked={asked} onEnd={() => setAsked(null)} />;
}

function AddressStep({ onSent }: { onSent: (asked: EmailChange) => void }) {
  const asking = useAskEmailChange();
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: standardSchemaResolver(changeEmailBody),
    defaultValues: { email: '', currentPassword: '' },
  });
  const send = handleSubmit((body) =>
    asking.mutate(body, {
      onSuccess: () => onSent(body),
      onError: (error) => showAtField(error, AT_FIELDS, setError),
    }),
  );
  return (
    <form className="grid gap-4" noValidate onSubmit={send}>
      <Field
        label="Новый email"
        type="email"
        autoComplete="email"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Ваш пароль"
        autoComplete="current-password"
        hint="На других устройствах будет выполнен выход."
        error={formState.errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      {asking.isError && !isShownAtField(asking.error, AT_FIELDS) && (
        <ErrorNote>{describeEmailError(asking.error)}</ErrorNote>
      )}
      <Button
        type="submit"
        variant="second"
        className="md:justify-self-start"
        loading={asking.isPending}
        loadingText="Отправляем…"
      >
        Получить код
      </Button>
    </form>
  );
}

function CodeStep({ asked, onEnd }: { asked: EmailChange; onEnd: () => void }) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const confirmation = useConfirmEmailChange();
  const asking = useAskEmailChange();
  const change = (next: string) => {
    if (confirmation.isError) confirmation.reset();
    setCode(next);
  };
  const confirm = (complete: string) => {
    if (confirmation.isPending) return;
    confirmation.mutate(complete, { onSuccess: onEnd, onError: () => input.current?.select() });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm(code);
  };
  return (
    <form className="grid gap-4 max-w-[440px]" onSubmit={submit}>
      <p className="text-sm">
        {nb('Код из 6 символов отправлен на ')}
        <b className="font-semibold break-words">{asked.email}</b>
      </p>
      <CodeInput
        ref={input}
        value={code}
        onChange={change}
        onComplete={confirm}
        label="Код из письма"
        length={VERIFICATION_CODE_LENGTH}
        error={confirmation.isError ? describeCodeError(confirmation.error) : undefined}
        autoFocus
      />
      {asking.isError && <ErrorNote>{describeEmailError(asking.error)}</ErrorNote>}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="second"
          disabled={code.length < VERIFICATION_CODE_LENGTH || isCodeRefused(confirmation.error)}
          loading={confirmation.isPending}
          loadingText="Подтверждаем…"
        >
          Изменить email
        </Button>
        <Button variant="quiet" onClick={onEnd}>
          Отмена
        </Button>
      </div>
      <ResendCodeButton
        code={{ purpose: 'change_email', email: asked.email }}
        isSending={asking.isPending}
        onResend={() => asking.mutate(asked, { onSuccess: () => change('') })}
      />
    </form>
  );
}

/** The server's text for a taken address advises to sign in, which is for newcomers. */
function describeEmailError(error: Error): string {
  return isRefusedFor(error, 'email_taken')
    ? 'На этот email уже есть аккаунт. Укажите другой'
    : describeError(error, FAILED);
}
