import { Button } from '#pwa/components/button.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { GARMENT_TEXTS } from '#pwa/features/generations/garment-texts.ts';
import { RunningCaption } from '#pwa/features/generations/running-caption.tsx';
import { useRunning } from '#pwa/features/generations/use-running.ts';
import { nb } from '#pwa/format.ts';
import { isSaving } from '#shared/rules/generation-lifecycle.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { describeShare, nameStage, STAGE_TITLES } from './generation-estimate.ts';
import { GenerationProblem, type GenerationProblemProps } from './generation-problem.tsx';

export interface GenerationOverlayProps extends Omit<GenerationProblemProps, 'step'> {
  onRetrieve: () => void;
}

/** The state of the generation over its source photo. */
export function GenerationOverlay(props: GenerationOverlayProps) {
  const { followed } = props;
  const { generationId, step } = followed;
  if (step === 'failed' || step === 'timeout' || step === 'error' || step === 'critical_error') {
    return <GenerationProblem {...props} step={step} />;
  }
  if (step === 'completed') {
    return (
      <div>
        <p className="num text-xs opacity-85">{shortId(generationId)}</p>
        <p className="display text-[1.75rem] leading-8 mt-1">{STAGE_TITLES.completed}</p>
        <StitchProgress value={1} label="Видео готово" still className="my-4" />
        <Button variant="plate" onClick={props.onRetrieve}>
          Получить видео
        </Button>
      </div>
    );
  }
  return <RunningGeneration {...props} />;
}

function RunningGeneration({ followed, control }: GenerationOverlayProps) {
  const { isOnline } = control;
  const isRemote = followed.progress?.isRemote ?? false;
  const { elapsed, share, hint } = useRunning('video', followed);
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={nameStage(followed.status, followed.progress)}
      elapsedSeconds={elapsed}
      work={describeShare(share)}
      share={isRemote ? share : share === null || share === 0 || isSaving(share) ? null : share}
      remoteStatus={isRemote ? followed.status : null}
      isStill={!isOnline}
    >
      {!isOnline ? (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      ) : followed.failuresInARow > 0 ? (
        <p>{followed.errors.at(-1)}. Повторяем запрос, генерация продолжается на сервере.</p>
      ) : (
        <p>{nb(hint)}</p>
      )}
      {followed.view?.rerollOf && <p>{nb(GARMENT_TEXTS.freeWait)}</p>}
      <CancelButton variant="plate" control={control} className="mt-4" />
    </RunningCaption>
  );
}
