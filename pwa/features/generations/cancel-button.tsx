import { X } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';

export interface CancelButtonProps {
  /** `plate` for a button over a picture. */
  variant: 'plate' | 'second';
  isOnline: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  className: string;
}

/** Cancels a running generation. Disabled without a network. */
export function CancelButton({ variant, isOnline, isCancelling, onCancel, className }: CancelButtonProps) {
  return (
    <Button
      variant={variant}
      size="sm"
      className={className}
      icon={<X className="ic ic-s" />}
      loading={isCancelling}
      loadingText="Отменяем…"
      disabled={!isOnline}
      title={isOnline ? undefined : 'Нет сети'}
      onClick={onCancel}
    >
      Отменить
    </Button>
  );
}
