import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { useForm, useWatch } from 'react-hook-form';
import { ApiError, describeError, isRefusedFor } from '#pwa/client/api-error.ts';
import { Button } from '#pwa/components/button.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { formatClock } from '#pwa/format.ts';
import { correctEmail } from '#shared/contract/account.ts';
import { describeRefusal } from '#shared/contract/errors.ts';
import { useResendWait } from './code-resend.ts';
import { useCorrectEmail } from './use-email-change.ts';

/** Changes the address of an unconfirmed account. `onDone` runs once the account has the new address. */
export function CorrectEmailForm({ email, onDone, onCancel }: CorrectEmailFormProps) {
  const correction = useCorrectEmail();
  const { register, handleSubmit, formState, control } = useForm({
    resolver: standardSchemaResolver(correctEmail.body),
    defaultValues: { email },
  });
  // Only the address that got a code recently has to wait. Another address gets its code at once.
  const typed = useWatch({ control, name: 'email' });
  const waitSeconds = useResendWait({ purpose: 'verify_email', email: typed });
  const send = handleSubmit((body) =>
    correction.mutate(body.email, {
      onSuccess: onDone,
      onError: (error) => {
        if (isRefusedFor(error, 'mail_not_sent')) onDone();
      },
    }),
  );
  return (
    <form className="grid gap-4 mt-6" noValidate onSubmit={send}>
      <Field
        label="Новый email"
        type="email"
        autoComplete="email"
        autoFocus
        error={formState.errors.email?.message}
        {...register('email')}
      />
      {correction.isError && correction.variables === typed.trim() && (
        <ErrorNote>{describeCorrectionError(correction.error, waitSeconds)}</ErrorNote>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          className="flex-1"
          disabled={waitSeconds > 0}
          loading={correction.isPending}
          loadingText="Отправляем…"
        >
          Отправить код
          {waitSeconds > 0 && <span className="num">{formatClock(waitSeconds)}</span>}
        </Button>
        <Button variant="second" disabled={correction.isPending} onClick={onCancel}>
          Отмена
        </Button>
      </div>
    </form>
  );
}

/** A temporary refusal is shown with the remaining seconds. */
function describeCorrectionError(error: Error, waitSeconds: number): string {
  if (error instanceof ApiError && error.code && error.status === 429 && waitSeconds > 0) {
    return describeRefusal(error.code, waitSeconds);
  }
  return describeError(error, 'Не удалось изменить email. Попробуйте ещё раз');
}

interface CorrectEmailFormProps {
  email: string;
  onDone: () => void;
  onCancel: () => void;
}
