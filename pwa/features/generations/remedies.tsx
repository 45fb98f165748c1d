import { Button } from '#pwa/components/button.tsx';
import type { GenerationView } from '#shared/contract/generations.ts';
import { findRemedy, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { BuyStarsButton } from './buy-stars-button.tsx';
import { RerollButton } from './reroll-button.tsx';
import type { StartReadiness } from './start-readiness.ts';
import type { GenerationControl } from './use-generation-tool.ts';

export interface RemediesProps {
  kind: GenerationKind;
  /** The failed generation; null while only its failure is known. */
  view: GenerationView | null;
  control: Pick<GenerationControl<never, never, GenerationView>, 'isOnline' | 'isStarting'>;
  readiness: StartReadiness;
  loadingText?: string;
  onRestart: () => void;
  /** Leads to the choice of a photo. Missing where another button does. */
  onAnotherPhoto?: () => void;
}

/** The buttons that help after a failure. A failed re-roll is repeated for nothing. */
export function Remedies(props: RemediesProps) {
  const { kind, view, control, readiness, loadingText = 'Запускаем…', onRestart, onAnotherPhoto } = props;
  const remedy = findRemedy(view?.failure?.code ?? null);
  if (remedy === 'another_photo') {
    return (
      onAnotherPhoto && (
        <Button variant="second" size="sm" onClick={onAnotherPhoto}>
          Выбрать другое фото
        </Button>
      )
    );
  }
  const obstacle = readiness.state === 'obstacle' ? readiness.reason : null;
  return (
    <>
      {view?.rerollOf ? (
        <RerollButton kind={kind} generationId={view.rerollOf} />
      ) : (
        <Button
          variant="second"
          size="sm"
          price={readiness.price}
          loading={control.isStarting}
          loadingText={loadingText}
          disabledReason={control.isOnline ? obstacle : 'Нет сети'}
          onClick={onRestart}
        >
          Повторить
        </Button>
      )}
      {remedy === 'stars' && <BuyStarsButton source={kind} variant="second" size="sm" />}
    </>
  );
}
