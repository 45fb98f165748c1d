import { Button } from '#pwa/components/button.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { describeFailure } from '#pwa/features/generations/describe-failure.ts';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { RepeatButton } from '#pwa/features/generations/repeat-button.tsx';
import { RunningPicture } from '#pwa/features/generations/running-picture.tsx';
import { MODEL_CHANGE_PRICE } from '#shared/rules/prices.ts';
import { describeStage } from './describe-generation.ts';
import { MODEL_CHANGE_TEXTS } from './model-change-texts.ts';
import type { FollowedChange } from './model-change-tool.ts';
import type { ShownChange } from './shown-change.ts';
import type { ModelChangeTool } from './use-model-change-tool.ts';

export interface GenerationStageProps {
  followed: FollowedChange;
  view: Exclude<ShownChange, { kind: 'completed' }>;
  control: ModelChangeTool['control'];
  /** Why nothing can be started now; null when something can. */
  obstacleReason: string | null;
  onRestart: () => void;
  onAnotherPhoto: () => void;
}

/** The source photo with the state of its generation over it. */
export function GenerationStage(props: GenerationStageProps) {
  const { followed, view, control } = props;
  return (
    <PhotoStage pictureUrl={followed.subject.photo?.previewUrl ?? null} className="max-lg:mx-2">
      {view.kind === 'running' ? (
        <RunningPicture
          kind="model_change"
          followed={followed}
          control={control}
          title={describeStage(followed.status, followed.progress)}
          isRemote={followed.progress?.isRemote ?? false}
          unreachable={{ title: MODEL_CHANGE_TEXTS.pollFailed, hint: MODEL_CHANGE_TEXTS.pollFailedHint }}
        />
      ) : (
        <FailedGeneration {...props} view={view} />
      )}
    </PhotoStage>
  );
}

type Ended = Extract<ShownChange, { kind: 'failed' | 'result_missing' }>;

function FailedGeneration(props: GenerationStageProps & { view: Ended }) {
  const { followed, view, control, obstacleReason, onRestart, onAnotherPhoto } = props;
  const isFailed = view.kind === 'failed';
  const remedy = isFailed ? view.remedy : 'again';
  return (
    <ProblemCard
      title={isFailed ? MODEL_CHANGE_TEXTS.failed : MODEL_CHANGE_TEXTS.startFailed}
      text={isFailed ? describeFailure(view.message, view.starsReturned) : MODEL_CHANGE_TEXTS.resultMissing}
    >
      {remedy === 'another_photo' ? (
        <Button variant="second" size="sm" onClick={onAnotherPhoto}>
          Выбрать другое фото
        </Button>
      ) : (
        <RepeatButton
          {...{ control, obstacleReason, onRestart }}
          view={isFailed ? followed.view : null}
          price={MODEL_CHANGE_PRICE}
        />
      )}
      {remedy === 'stars' && <BuyStarsButton source="model_change" variant="second" size="sm" />}
      <Button variant="quiet" size="sm" onClick={control.release}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
