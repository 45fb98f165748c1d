import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { encode } from 'uqr';
import { callApi } from '#pwa/client/api-client.ts';
import { describeError } from '#pwa/client/api-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { useSingleMutation } from '#pwa/client/use-single-mutation.ts';
import { Button } from '#pwa/components/button.tsx';
import { Dialog } from '#pwa/components/dialog.tsx';
import { ErrorNote } from '#pwa/components/error-note.tsx';
import { Field } from '#pwa/components/field.tsx';
import { PasswordField } from '#pwa/components/password-field.tsx';
import { nb } from '#pwa/format.ts';
import { beginSecondFactor, confirmAdministrator, finishSecondFactor } from '#shared/contract/administration.ts';

export interface ConfirmationDialogProps {
  /** The second factor has to be set up first. */
  isSetUp: boolean;
  /** The session is confirmed for fifteen minutes. */
  onConfirmed: () => void;
  onClose: () => void;
}

/** Confirms that an administrator is there, before money or stars move; sets up the second factor the first time. */
export default function ConfirmationDialog({ isSetUp, ...props }: ConfirmationDialogProps) {
  return isSetUp ? <Confirmation {...props} /> : <SettingUp {...props} />;
}

type StepProps = Omit<ConfirmationDialogProps, 'isSetUp'>;

function Confirmation({ onConfirmed, onClose }: StepProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const confirmation = useSingleMutation({
    mutationFn: () => callApi(confirmAdministrator, { body: { password, code } }),
    onSuccess: onConfirmed,
  });
  return (
    <Step
      title="Подтвердите, что это вы"
      text="Возвраты, исправления баланса и награды требуют пароль и код из приложения. Подтверждение действует 15 минут."
      action="Подтвердить"
      step={confirmation}
      onClose={onClose}
    >
      <PasswordField
        label="Пароль"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CodeField hint="Или один из кодов восстановления" value={code} onChange={setCode} />
    </Step>
  );
}

function SettingUp({ onConfirmed, onClose }: StepProps) {
  const [password, setPassword] = useState('');
  const begun = useSingleMutation({ mutationFn: () => callApi(beginSecondFactor, { body: { password } }) });
  if (begun.data) return <FirstCode {...begun.data} onConfirmed={onConfirmed} onClose={onClose} />;
  return (
    <Step
      title="Настройте второй фактор"
      text="Возвраты, исправления баланса и награды требуют кода из приложения-аутентификатора на вашем телефоне. Настройка нужна один раз."
      action="Продолжить"
      step={begun}
      onClose={onClose}
    >
      <PasswordField
        label="Пароль"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
    </Step>
  );
}

function FirstCode({ secret, address, onConfirmed, onClose }: StepProps & { secret: string; address: string }) {
  const [code, setCode] = useState('');
  const finish = useSingleMutation({ mutationFn: () => callApi(finishSecondFactor, { body: { code } }) });
  if (finish.data) return <RecoveryCodes codes={finish.data.recoveryCodes} onDone={onConfirmed} />;
  return (
    <Step
      title="Отсканируйте код"
      text="Откройте приложение-аутентификатор, добавьте аккаунт по этому коду и введите шесть цифр, которые оно покажет."
      action="Готово"
      step={finish}
      onClose={onClose}
    >
      <QrCode text={address} />
      <p className="text-sm text-muted">
        {nb('Не сканируется? Введите в приложении этот ключ:')}{' '}
        <span className="font-mono text-ink break-all select-all">{secret.replace(/.{4}(?=.)/g, '$& ')}</span>
      </p>
      <CodeField value={code} onChange={setCode} />
    </Step>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog
      open
      // They are shown once, so a press beside them must not close them.
      onOpenChange={() => undefined}
      canClose={false}
      size="sm"
      title="Сохраните коды восстановления"
      description={nb(
        'Каждый заменит код из приложения один раз, если телефона нет под рукой. Больше мы их не покажем.',
      )}
      footer={<Button onClick={onDone}>Сохранены, продолжить</Button>}
    >
      <ul className="grid grid-cols-2 gap-2 font-mono text-center select-all">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  );
}

interface StepFrameProps {
  title: string;
  text: string;
  action: string;
  step: {
    mutate: (body: undefined, options: { onSettled: () => unknown }) => void;
    isPending: boolean;
    error: Error | null;
  };
  onClose: () => void;
  children: ReactNode;
}

function Step({ title, text, action, step, onClose, children }: StepFrameProps) {
  const formId = useId();
  const queryClient = useQueryClient();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form behind this dialog is not the one to be sent.
    event.stopPropagation();
    // A short password is found out here, and then has to be replaced.
    step.mutate(undefined, { onSettled: () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.user }) });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      canClose={!step.isPending}
      size="sm"
      title={title}
      description={nb(text)}
      footer={
        <>
          <Button variant="second" disabled={step.isPending} onClick={onClose}>
            Отмена
          </Button>
          <Button type="submit" form={formId} loading={step.isPending} loadingText="Проверяем…">
            {action}
          </Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" noValidate onSubmit={submit}>
        {children}
        {step.error && <ErrorNote>{describeError(step.error, 'Не удалось проверить. Попробуйте ещё раз')}</ErrorNote>}
      </form>
    </Dialog>
  );
}

interface CodeFieldProps {
  hint?: string;
  value: string;
  onChange: (code: string) => void;
}

function CodeField({ hint, value, onChange }: CodeFieldProps) {
  return (
    <Field
      label="Код из приложения"
      className="num"
      autoComplete="one-time-code"
      hint={hint}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Dark on light in both themes, because not all cameras read the reverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      className="w-52 justify-self-center rounded-lg"
      role="img"
      aria-label="QR-код для приложения-аутентификатора"
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
