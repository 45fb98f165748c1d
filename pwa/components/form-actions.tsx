import type { ReactNode } from 'react';
import { useOnline } from '#pwa/device/use-online.ts';
import { Button } from './button.tsx';

export interface FormActionsProps {
  /** Id of the form that is sent. */
  formId: string;
  isPending: boolean;
  /** Shown on the button while the form is sent: «Сохраняем…». */
  pendingText: string;
  onCancel: () => void;
  /** What the button says. */
  children: ReactNode;
}

/** The footer of a dialog with a form: «Отмена», and the button that sends it. Nothing is sent without a network. */
export function FormActions({ formId, isPending, pendingText, onCancel, children }: FormActionsProps) {
  const isOnline = useOnline();
  return (
    <>
      <Button variant="second" disabled={isPending} onClick={onCancel}>
        Отмена
      </Button>
      <Button
        type="submit"
        form={formId}
        loading={isPending}
        loadingText={pendingText}
        disabledReason={isOnline ? null : 'Нет сети'}
      >
        {children}
      </Button>
    </>
  );
}
