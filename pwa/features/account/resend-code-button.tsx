import { RotateCw } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { formatClock } from '#pwa/format.ts';
import { type MailedCode, readResendWait, useResendWait } from './code-resend.ts';

export interface ResendCodeButtonProps {
  code: MailedCode;
  isSending: boolean;
  isDisabled?: boolean;
  onResend: () => void;
}

/** Requests another code, once the wait is over. */
export function ResendCodeButton({ code, isSending, isDisabled = false, onResend }: ResendCodeButtonProps) {
  const waitSeconds = useResendWait(code);
  // A press may come before the button is drawn as waiting.
  const press = () => readResendWait(code) === 0 && onResend();
  return (
    <Button
      variant="quiet"
      wide
      className="mt-2"
      icon={<RotateCw className="ic ic-s" />}
      disabled={waitSeconds > 0 || isDisabled}
      loading={isSending}
      loadingText="Отправляем…"
      onClick={press}
    >
      Отправить код ещё раз
      {waitSeconds > 0 && <span className="num">{formatClock(waitSeconds)}</span>}
    </Button>
  );
}
