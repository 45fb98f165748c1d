import { Button } from '#pwa/components/button.tsx';
import type { GenerationView } from '#shared/contract/generations.ts';
import { RerollButton } from './reroll-button.tsx';
import type { StartReadiness } from './start-readiness.ts';
import type { GenerationControl } from './use-generation-tool.ts';

export interface RepeatButtonProps {
  /** The failed generation; null while only its failure is known. */
  view: GenerationView | null;
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isStarting'>;
  readiness: StartReadiness;
  loadingText?: string;
  onRestart: () => void;
}

/** Starts the failed generation again. A failed re-roll is repeated for nothing. */
export function RepeatButton({ view, control, readiness, loadingText, onRestart }: RepeatButtonProps) {
  if (view?.rerollOf) return <RerollButton kind={view.kind} generationId={view.rerollOf} />;
  const obstacle = readiness.state === 'obstacle' ? readiness.reason : null;
  return (
    <Button
      variant="second"
      size="sm"
      price={readiness.price}
      loading={control.isStarting}
      loadingText={loadingText ?? 'Запускаем…'}
      disabledReason={control.isOnline ? obstacle : 'Нет сети'}
      onClick={onRestart}
    >
      Повторить
    </Button>
  );
}
