import { Button } from '#pwa/components/button.tsx';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { RunningCaption } from '#pwa/features/generations/running-caption.tsx';
import { useClosingHint } from '#pwa/features/generations/use-closing-hint.ts';
import { nb } from '#pwa/lib/format.ts';
import { useElapsedSeconds } from '#pwa/lib/use-clock.ts';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { describeFailure, describeStage, describeWait } from './describe-generation.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { FollowedChange } from './model-change-tool.ts';
import type { ShownChange } from './shown-change.ts';

export interface GenerationStageProps {
  followed: FollowedChange;
  view: Exclude<ShownChange, { kind: 'completed' }>;
  isOnline: boolean;
  isCancelling: boolean;
  isStarting: boolean;
  onCancel: () => void;
  onCheckAgain: () => void;
  onRestart: () => void;
  onReturn: () => void;
}

/** The source photo with the state of its generation over it. */
export function GenerationStage(props: GenerationStageProps) {
  const { followed, view } = props;
  return (
    <PhotoStage pictureUrl={followed.subject.photo?.previewUrl ?? null} className="max-lg:mx-2">
      {view.kind === 'running' ? (
        <RunningGeneration {...props} view={view} />
      ) : (
        <FailedGeneration {...props} view={view} />
      )}
    </PhotoStage>
  );
}

type Running = Extract<ShownChange, { kind: 'running' }>;

function RunningGeneration(props: GenerationStageProps & { view: Running }) {
  const { followed, view, isOnline, isCancelling, onCancel, onCheckAgain } = props;
  const { progress } = view;
  const elapsed = useElapsedSeconds(followed.startedAt);
  const closingHint = useClosingHint('галерее');
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && view.isUnreachable;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={describeStage(share)}
      elapsedSeconds={elapsed}
      work={percent}
      spokenWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
      {isUnreachable ? (
        <ProblemCard
          title={MODEL_CHANGE_TEXTS.pollFailed}
          text={nb(`${MODEL_CHANGE_TEXTS.pollFailedHint}. Генерация продолжается на сервере.`)}
        >
          <Button variant="second" size="sm" onClick={onCheckAgain}>
            Повторить
          </Button>
        </ProblemCard>
      ) : isOnline ? (
        <p>{nb([describeWait(progress, elapsed), closingHint].filter(Boolean).join('. '))}</p>
      ) : (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      )}
      <CancelButton
        variant="plate"
        className="mt-4"
        isOnline={isOnline}
        isCancelling={isCancelling}
        onCancel={onCancel}
      />
    </RunningCaption>
  );
}

type Ended = Extract<ShownChange, { kind: 'failed' | 'result_missing' }>;

function FailedGeneration({ view, isOnline, isStarting, onRestart, onReturn }: GenerationStageProps & { view: Ended }) {
  const isFailed = view.kind === 'failed';
  return (
    <ProblemCard
      title={isFailed ? MODEL_CHANGE_TEXTS.failed : MODEL_CHANGE_TEXTS.startFailed}
      text={isFailed ? describeFailure(view.message, view.isRefunded) : MODEL_CHANGE_TEXTS.resultMissing}
    >
      <Button
        variant="second"
        size="sm"
        price={MODEL_CHANGE_PRICE}
        loading={isStarting}
        loadingText="Запускаем…"
        disabledReason={isOnline ? null : 'Нет сети'}
        onClick={onRestart}
      >
        Повторить
      </Button>
      <Button variant="quiet" size="sm" onClick={onReturn}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
