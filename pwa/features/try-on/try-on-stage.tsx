import { Button } from '#pwa/components/button.tsx';
import { BuyStarsButton } from '#pwa/components/buy-stars-button.tsx';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { nameRemoteStage, RemoteStages } from '#pwa/features/generations/remote-stages.tsx';
import { RunningCaption } from '#pwa/features/generations/running-caption.tsx';
import { useClosingHint } from '#pwa/features/generations/use-closing-hint.ts';
import { nb } from '#pwa/lib/format.ts';
import { useElapsedSeconds } from '#pwa/lib/use-clock.ts';
import { describeGarment } from '#shared/rules/garments.ts';
import { findRemedy } from '#shared/rules/generation-lifecycle.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { describeFailure, describeWait } from './describe-try-on.ts';
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
        {isEnded ? <Failure {...props} /> : <Progress followed={followed} control={control} />}
      </PhotoStage>
      <div className="max-lg:mt-7 panel p-4">
        <Garment subject={followed.subject} />
        {!isEnded && <p className="text-sm text-muted mt-4">{nb('Если не получится, звезда вернётся на баланс.')}</p>}
      </div>
    </div>
  );
}

function Garment({ subject: { garment, category } }: { subject: TryOnDraft }) {
  return (
    <div className="flex gap-4 items-center">
      <div className="pic w-[78px] flex-none bg-sunken aspect-[3/4]">
        {garment && <img className="ph" src={garment.thumbnailUrl} alt="Вещь" />}
      </div>
      <div className="min-w-0">
        <h2 className="text-xs text-muted">Что за вещь</h2>
        <p className="text-sm font-medium">{nb(describeGarment(category))}</p>
      </div>
    </div>
  );
}

function Progress({ followed, control }: Pick<TryOnStageProps, 'followed' | 'control'>) {
  const { isOnline } = control;
  const { progress } = followed;
  const elapsed = useElapsedSeconds(followed.startedAt);
  const closingHint = useClosingHint('галерее', true);
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && followed.failuresInARow > 0;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={nameRemoteStage({ status: followed.status, share })}
      elapsedSeconds={elapsed}
      work={percent}
      spokenWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
      <RemoteStages status={followed.status} share={share} className="mb-4" />
      {isUnreachable ? (
        <ProblemCard
          title={TRY_ON_TEXTS.pollFailed}
          text={nb(`${TRY_ON_TEXTS.pollFailedHint}. Генерация продолжается на сервере.`)}
        >
          <Button variant="second" size="sm" onClick={control.checkAgain}>
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
        isCancelling={control.isCancelling}
        onCancel={control.cancel}
      />
    </RunningCaption>
  );
}

function Failure({ followed: { view }, control, obstacleReason, onRestart }: TryOnStageProps) {
  const remedy = findRemedy(view?.failure?.code ?? null);
  return (
    <ProblemCard
      title={TRY_ON_TEXTS.failed}
      text={describeFailure(view?.failure?.message ?? TRY_ON_TEXTS.failedHint, view?.starsSpent === 0)}
    >
      {remedy !== 'another_photo' && (
        <Button
          variant="second"
          size="sm"
          price={TRY_ON_PRICE}
          loading={control.isStarting}
          loadingText="Запускаем…"
          disabledReason={control.isOnline ? obstacleReason : 'Нет сети'}
          onClick={onRestart}
        >
          Повторить
        </Button>
      )}
      {remedy === 'stars' && <BuyStarsButton source="try_on" variant="second" size="sm" />}
      <Button variant="quiet" size="sm" onClick={control.release}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
