import { useQueryClient } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { formatClock } from '#pwa/lib/format.ts';
import { CODE_REQUEST, type MailedCode, readResendWait, useResendWait } from './code-resend.ts';

export interface ResendCodeButtonProps {
  code: MailedCode;
  isSending: boolean;
  isDisabled?: boolean;
  onResend: () => void;
}

/** Requests another code, once the wait is over. */
export function ResendCodeButton({ code, isSending, isDisabled = false, onResend }: ResendCodeButtonProps) {
  const queryClient = useQueryClient();
  const waitSeconds = useResendWait(code);
  /** Ignores a second press that comes before the button is rendered as loading or as waiting. */
  const press = () => {
    if (queryClient.isMutating({ mutationKey: CODE_REQUEST }) === 0 && readResendWait(code) === 0) onResend();
  };
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
