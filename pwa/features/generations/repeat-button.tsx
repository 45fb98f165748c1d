import { Button } from '#pwa/components/button.tsx';
import type { GenerationView } from '#shared/contract/generations.ts';
import { RerollButton } from './reroll-button.tsx';
import type { GenerationControl } from './use-generation-tool.ts';

export interface RepeatButtonProps {
  /** The failed generation; null while only its failure is known. */
  view: GenerationView | null;
  price: number;
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isStarting'>;
  /** Why nothing can be started now; null when something can. */
  obstacleReason: string | null;
  loadingText?: string;
  onRestart: () => void;
}

/** Starts the failed generation again. A failed re-roll is repeated for nothing. */
export function RepeatButton({ view, price, control, obstacleReason, loadingText, onRestart }: RepeatButtonProps) {
  if (view?.rerollOf) return <RerollButton kind={view.kind} generationId={view.rerollOf} />;
  return (
    <Button
      variant="second"
      size="sm"
      price={price}
      loading={control.isStarting}
      loadingText={loadingText ?? 'Запускаем…'}
      disabledReason={control.isOnline ? obstacleReason : 'Нет сети'}
      onClick={onRestart}
    >
      Повторить
    </Button>
  );
}
