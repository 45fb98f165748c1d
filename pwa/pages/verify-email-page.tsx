import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, MailOpen } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { CodeInput } from '#pwa/components/code-input.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { toast } from '#pwa/components/toast.ts';
import { isCodeUnsent } from '#pwa/features/account/code-resend.ts';
import { CorrectEmailForm } from '#pwa/features/account/correct-email-form.tsx';
import { describeTriesLeft, isCodeRefused } from '#pwa/features/account/describe-code-error.ts';
import { useResendCode, useVerificationWait, useVerifyEmail } from '#pwa/features/account/email-verification.ts';
import { ResendCodeButton } from '#pwa/features/account/resend-code-button.tsx';
import { SIGNUP_STARS_REFUSALS } from '#pwa/features/account/signup-stars-words.ts';
import { enterSessionLate } from '#pwa/features/session/enter-session.ts';
import { holdEntry } from '#pwa/features/session/session-memory.ts';
import { useUser } from '#pwa/features/session/use-session.ts';
import { nb } from '#pwa/format.ts';
import { ACCOUNT_TEXTS, VERIFICATION_CODE_LENGTH } from '#shared/contract/account.ts';
import { HELP_PATH } from '#shared/rules/app-paths.ts';

const REDIRECT_DELAY_MS = 1500;

export default function VerifyEmailPage() {
  const [code, setCode] = useState('');
  const [isCorrecting, setIsCorrecting] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const user = useUser();
  const verification = useVerifyEmail();
  const resend = useResendCode();
  useVerificationWait(user?.email);
  const enter = useEnter(verification.data);
  const refusal = verification.data?.signupStarsRefused;
  useHeldEntry(verification.isPending || verification.isSuccess);
  const mailedCode = { purpose: 'verify_email', email: user?.email ?? '' } as const;
  // Read at every render: what changes it is a call of this page.
  const isUnsent = !verification.isSuccess && isCodeUnsent(mailedCode);

  const change = (next: string) => {
    if (verification.isError) verification.reset();
    setCode(next);
  };
  const startAgain = () => {
    setIsCorrecting(false);
    change('');
    input.current?.focus();
  };
  return (
    <div className="flex justify-center px-5 py-10 md:py-24">
      <div className="w-full max-w-[440px]">
        {verification.isSuccess ? <CircleCheck className="ic ic-l text-success" /> : <MailOpen className="ic ic-l" />}
        <h1 className="ptitle mt-5">Введите код из&nbsp;письма</h1>
        <p className="text-muted mt-3 text-lg">
          {nb(
            isUnsent
              ? 'Письмо не отправлено. Отправьте код ещё раз на адрес '
              : 'Мы отправили код из 6 символов на адрес ',
          )}
          <b className="inline-block max-w-full text-ink font-semibold break-words">{user?.email}</b>
        </p>
        {isCorrecting && user ? (
          <CorrectEmailForm email={user.email} onDone={startAgain} onCancel={() => setIsCorrecting(false)} />
        ) : (
          !verification.isSuccess && (
            <button type="button" className="link text-sm min-h-11" onClick={() => setIsCorrecting(true)}>
              Изменить email
            </button>
          )
        )}
        {refusal && (
          <Notice
            tone="info"
            className="mt-6"
            title="Без подарочных звёзд"
            action={
              <Button size="sm" onClick={enter}>
                Понятно
              </Button>
            }
          >
            {nb(SIGNUP_STARS_REFUSALS[refusal])}
          </Notice>
        )}
        <CodeForm ref={input} code={code} onChange={change} verification={verification} />
        <ResendCodeButton
          code={mailedCode}
          isSending={resend.isPending}
          isDisabled={verification.isSuccess}
          onResend={() => user && resend.mutate(user.email, { onSuccess: () => change('') })}
        />
        <p className="text-sm text-muted mt-6">
          {nb(
            isUnsent
              ? 'Если письмо не уходит, попробуйте через минуту или '
              : 'Письмо идёт до 2 минут. Если его нет, проверьте папку «Спам» или ',
          )}
          <a className="link text-ink" href={HELP_PATH} target="_blank" rel="noopener">
            {nb('напишите нам')}
          </a>
          .
        </p>
      </div>
    </div>
  );
}

interface CodeFormProps {
  /** The ref of the input. */
  ref: RefObject<HTMLInputElement | null>;
  code: string;
  onChange: (code: string) => void;
  verification: ReturnType<typeof useVerifyEmail>;
}

/** Submits automatically once the code is complete. */
function CodeForm({ ref, code, onChange, verification }: CodeFormProps) {
  const confirm = (complete: string) => {
    if (verification.isPending) return;
    verification.mutate(complete, { onError: () => ref.current?.select() });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm(code);
  };
  const isIncomplete = code.length < VERIFICATION_CODE_LENGTH;
  // A disabled submit button blocks Enter, so Enter is handled here.
  const complainWhenIncomplete = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== ref.current || !isIncomplete) return;
    toast({ title: 'Ошибка', description: ACCOUNT_TEXTS.codeIncomplete, tone: 'danger' });
  };
  return (
    <form className="mt-6" onSubmit={submit} onKeyDown={complainWhenIncomplete}>
      <CodeInput
        ref={ref}
        value={code}
        onChange={onChange}
        onComplete={confirm}
        label="Код подтверждения"
        length={VERIFICATION_CODE_LENGTH}
        isWrong={isCodeRefused(verification.error)}
        hint={describeTriesLeft(verification.error)}
        disabled={verification.isSuccess}
        autoFocus
      />
      <Button
        type="submit"
        size="lg"
        wide
        className="mt-6"
        disabled={isIncomplete || verification.isSuccess || isCodeRefused(verification.error)}
        loading={verification.isPending}
        loadingText="Подтверждаем…"
      >
        {verification.isSuccess ? 'Email подтвержден' : 'Подтвердить'}
      </Button>
    </form>
  );
}

/** The replaced token ends the stream of events, which would ask for the user before the success could be read. */
function useHeldEntry(isHeld: boolean): void {
  useEffect(() => (isHeld ? holdEntry() : undefined), [isHeld]);
}

/**
 * Puts the confirmed user into the session after a moment, so that the success can be read first. Where there is more
 * to read, that waits for the returned function.
 */
function useEnter(confirmed: ReturnType<typeof useVerifyEmail>['data']): () => void {
  const queryClient = useQueryClient();
  const enter = useCallback(() => {
    if (!confirmed) return;
    const { signupStarsRefused: _, ...user } = confirmed;
    enterSessionLate(queryClient, user);
  }, [queryClient, confirmed]);
  useEffect(() => {
    if (!confirmed) return;
    const timer = confirmed.signupStarsRefused ? undefined : setTimeout(enter, REDIRECT_DELAY_MS);
    return () => {
      clearTimeout(timer);
      // A person who leaves the page earlier is confirmed too.
      enter();
    };
  }, [confirmed, enter]);
  return enter;
}
