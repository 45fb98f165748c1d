import { Button } from '#pwa/components/button.tsx';
import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { countReturned, describeFailure } from '#pwa/features/generations/describe-failure.ts';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import { RepeatButton } from '#pwa/features/generations/repeat-button.tsx';
import { RunningPicture } from '#pwa/features/generations/running-picture.tsx';
import { WaitingPrice } from '#pwa/features/generations/waiting-price.tsx';
import { nb } from '#pwa/format.ts';
import { describeGarment } from '#shared/rules/garments.ts';
import { findRemedy } from '#shared/rules/generation-lifecycle.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import type { FollowedTryOn, TryOnDraft } from './try-on-tool.ts';
import type { TryOnTool } from './use-try-on-tool.ts';

export interface TryOnStageProps {
  followed: FollowedTryOn;
  control: TryOnTool['control'];
  /** Why the tool cannot be started now. Null when it can. */
  obstacleReason: string | null;
  onRestart: () => void;
}

/** The person with the state of the generation over the photo, and beside it what is tried on. */
export function TryOnStage(props: TryOnStageProps) {
  const { followed, control } = props;
  const { person } = followed.subject;
  const isEnded = followed.status === 'failed' || followed.status === 'completed';
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_280px] gap-14 items-start">
      <PhotoStage pictureUrl={person?.previewUrl ?? null} className="max-lg:mx-2">
        {isEnded ? (
          <Failure {...props} />
        ) : (
          <RunningPicture
            kind="try_on"
            followed={followed}
            control={control}
            title={nameRemoteStage({ status: followed.status, share: followed.progress?.share ?? null })}
            isRemote
            unreachable={{ title: TRY_ON_TEXTS.pollFailed, hint: TRY_ON_TEXTS.pollFailedHint }}
          />
        )}
      </PhotoStage>
      <div className="max-lg:mt-7 panel p-4">
        <Garment subject={followed.subject} />
        {!isEnded && <WaitingPrice view={followed.view} className="mt-4" />}
      </div>
    </div>
  );
}

function Garment({ subject: { garment, category } }: { subject: TryOnDraft }) {
  return (
    <div className="flex gap-4 items-center">
      <div className="pic w-[78px] flex-none bg-sunken aspect-[3/4]">
        {garment && <ResultPicture url={garment.thumbnailUrl} alt="Вещь" />}
      </div>
      <div className="min-w-0">
        <h2 className="text-xs text-muted">Что за вещь</h2>
        <p className="text-sm font-medium">{nb(describeGarment(category))}</p>
      </div>
    </div>
  );
}

function Failure({ followed: { view }, control, obstacleReason, onRestart }: TryOnStageProps) {
  const remedy = findRemedy(view?.failure?.code ?? null);
  return (
    <ProblemCard
      title={TRY_ON_TEXTS.failed}
      text={describeFailure(
        view?.failure?.message ?? TRY_ON_TEXTS.failedHint,
        view ? countReturned(view, TRY_ON_PRICE) : 0,
      )}
    >
      {remedy !== 'another_photo' && (
        <RepeatButton {...{ view, control, obstacleReason, onRestart }} price={TRY_ON_PRICE} />
      )}
      {remedy === 'stars' && <BuyStarsButton source="try_on" variant="second" size="sm" />}
      <Button variant="quiet" size="sm" onClick={control.release}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
