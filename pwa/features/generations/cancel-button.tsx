import { X } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { GenerationControl } from './use-generation-tool.ts';

export interface CancelButtonProps {
  /** `plate` for a button over a picture. */
  variant: 'plate' | 'second';
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isCancelling' | 'cancel'>;
  className: string;
}

/** Cancels a running generation. Disabled without a network. */
export function CancelButton({ variant, control: { isOnline, isCancelling, cancel }, className }: CancelButtonProps) {
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
      onClick={cancel}
    >
      Отменить
    </Button>
  );
}
