import { Button } from '#pwa/components/button.tsx';
import { BuyStarsButton } from '#pwa/components/buy-stars-button.tsx';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { RemoteStages } from '#pwa/features/generations/remote-stages.tsx';
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
  /** Why nothing can be started now; null when something can. */
  obstacleReason: string | null;
  onCancel: () => void;
  onCheckAgain: () => void;
  onRestart: () => void;
  onReturn: () => void;
  /** Opens the step of the photo. */
  onAnotherPhoto: () => void;
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
  const isRemote = progress?.isRemote ?? false;
  const closingHint = useClosingHint('галерее', isRemote);
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && view.isUnreachable;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={describeStage(followed.status, progress)}
      elapsedSeconds={elapsed}
      work={percent}
      spokenWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
      {isRemote && <RemoteStages status={followed.status} share={share} className="mb-4" />}
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

function FailedGeneration(props: GenerationStageProps & { view: Ended }) {
  const { view, isOnline, isStarting, obstacleReason, onRestart, onReturn, onAnotherPhoto } = props;
  const isFailed = view.kind === 'failed';
  const remedy = isFailed ? view.remedy : 'again';
  return (
    <ProblemCard
      title={isFailed ? MODEL_CHANGE_TEXTS.failed : MODEL_CHANGE_TEXTS.startFailed}
      text={isFailed ? describeFailure(view.message, view.isRefunded) : MODEL_CHANGE_TEXTS.resultMissing}
    >
      {remedy === 'another_photo' ? (
        <Button variant="second" size="sm" onClick={onAnotherPhoto}>
          Выбрать другое фото
        </Button>
      ) : (
        <Button
          variant="second"
          size="sm"
          price={MODEL_CHANGE_PRICE}
          loading={isStarting}
          loadingText="Запускаем…"
          disabledReason={isOnline ? obstacleReason : 'Нет сети'}
          onClick={onRestart}
        >
          Повторить
        </Button>
      )}
      {remedy === 'stars' && <BuyStarsButton source="model_change" variant="second" size="sm" />}
      <Button variant="quiet" size="sm" onClick={onReturn}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
