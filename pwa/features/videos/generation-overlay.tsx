import { X } from 'lucide-react';
import { Button } from '#pwa/components/button.tsx';
import { StitchProgress } from '#pwa/components/stitch-progress.tsx';
import { formatClock, nb } from '#pwa/lib/format.ts';
import { useCalmText, useElapsedSeconds } from '#pwa/lib/use-clock.ts';
import { describeShare, describeWait, isSaving, STAGE_TITLES, type VideoEngine } from './generation-estimate.ts';
import { GenerationProblem } from './generation-problem.tsx';
import type { Tracking } from './tracking.ts';

const ANNOUNCE_INTERVAL_MS = 15_000;

export interface GenerationOverlayProps {
  tracking: Tracking;
  engine: VideoEngine | null;
  isCancelling: boolean;
  isStarting: boolean;
  /** Price of starting anew after a failure, in stars. */
  price: number;
  onCancel: () => void;
  onCheckAgain: () => void;
  onRetrieve: () => void;
  onRestart: () => void;
}

/** What happens to the generation now, over its source photo. */
export function GenerationOverlay(props: GenerationOverlayProps) {
  const { tracking, engine } = props;
  const { generationId, step } = tracking;
  if (step === 'failed' || step === 'timeout' || step === 'error' || step === 'critical_error') {
    return <GenerationProblem {...props} step={step} />;
  }
  if (step === 'completed') {
    return (
      <div>
        <Caption generationId={generationId} />
        <StageTitle text={STAGE_TITLES.completed} />
        <StitchProgress value={1} label="Видео готово" still className="my-4 text-white white-thread" />
        <Button variant="plate" onClick={props.onRetrieve}>
          Получить видео
        </Button>
      </div>
    );
  }
  return <RunningGeneration {...props} engine={engine} />;
}

function RunningGeneration({ tracking, engine, isCancelling, onCancel }: GenerationOverlayProps) {
  const elapsed = useElapsedSeconds(tracking.startedAt);
  const share = tracking.progress?.share ?? null;
  const work = describeShare(share);
  const value = share === null || share === 0 || isSaving(share) ? null : share;
  const title = STAGE_TITLES[tracking.status];
  const spoken = useCalmText(
    [title, `прошло ${formatClock(elapsed)}`, work].filter(Boolean).join(', '),
    ANNOUNCE_INTERVAL_MS,
  );
  const expectedSeconds = tracking.progress?.expectedSeconds ?? engine?.expectedSeconds ?? null;
  const wait = describeWait({ isGenerative: engine?.isGenerative ?? true, expectedSeconds }, elapsed);
  return (
    <div>
      <p className="sr-only" role="status">
        {spoken}
      </p>
      <Caption generationId={tracking.generationId} extra={`прошло ${formatClock(elapsed)}`} work={work} />
      <StageTitle text={title} />
      <StitchProgress
        value={value}
        label="Ход генерации"
        still={tracking.isOffline}
        className={`my-4 white-thread ${value === null ? '' : 'white-track'}`}
      />
      {tracking.isOffline ? (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      ) : tracking.failuresInARow > 0 ? (
        <p>{tracking.errors.at(-1)}. Повторяем запрос, генерация продолжается на сервере.</p>
      ) : (
        <p>{nb(`${wait}. Страницу можно закрыть — результат появится в истории.`)}</p>
      )}
      <Button
        variant="plate"
        size="sm"
        className="mt-4"
        icon={<X className="ic ic-s" />}
        loading={isCancelling}
        loadingText="Отменяем…"
        disabled={tracking.isOffline}
        title={tracking.isOffline ? 'Нет сети' : undefined}
        onClick={onCancel}
      >
        Отменить
      </Button>
    </div>
  );
}

interface CaptionProps {
  generationId: string;
  extra?: string;
  /** How far the work is. */
  work?: string | null;
}

function Caption({ generationId, extra, work }: CaptionProps) {
  return (
    <p className="num text-xs opacity-85 flex justify-between gap-3">
      <span>{[generationId.slice(0, 8), extra].filter(Boolean).join(' · ')}</span>
      {work && <span>{work}</span>}
    </p>
  );
}

function StageTitle({ text }: { text: string }) {
  return <p className="display text-[1.75rem] leading-8 mt-1">{text}</p>;
}
