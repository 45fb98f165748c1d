import { Button } from '#pwa/components/button.tsx';
import { CancelButton } from '#pwa/features/generations/cancel-button.tsx';
import { PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { ProblemCard } from '#pwa/features/generations/problem-card.tsx';
import { RunningCaption } from '#pwa/features/generations/running-caption.tsx';
import { useClosingHint } from '#pwa/features/generations/use-closing-hint.ts';
import { nb } from '#pwa/lib/format.ts';
import { useElapsedSeconds } from '#pwa/lib/use-clock.ts';
import { describeGarment } from '#shared/rules/garments.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { describeFailure, describeStage, describeWait } from './describe-try-on.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import type { FollowedTryOn, TryOnDraft } from './try-on-tool.ts';
import type { TryOnTool } from './use-try-on-tool.ts';

export interface TryOnStageProps {
  followed: FollowedTryOn;
  control: TryOnTool['control'];
  onRestart: () => void;
}

/** The person with the state of the generation over the photo, and beside it what is tried on. */
export function TryOnStage({ followed, control, onRestart }: TryOnStageProps) {
  const { person } = followed.subject;
  const isEnded = followed.status === 'failed' || followed.status === 'completed';
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_280px] gap-14 items-start">
      <PhotoStage pictureUrl={person?.previewUrl ?? null} className="max-lg:mx-2">
        {isEnded ? (
          <Failure followed={followed} control={control} onRestart={onRestart} />
        ) : (
          <Progress followed={followed} control={control} />
        )}
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
  const closingHint = useClosingHint('галерее');
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && followed.failuresInARow > 0;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={describeStage(followed.status)}
      elapsedSeconds={elapsed}
      work={percent}
      spokenWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
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

function Failure({ followed: { view }, control, onRestart }: TryOnStageProps) {
  return (
    <ProblemCard
      title={TRY_ON_TEXTS.failed}
      text={describeFailure(view?.failure?.message ?? TRY_ON_TEXTS.failedHint, view?.starsSpent === 0)}
    >
      <Button
        variant="second"
        size="sm"
        price={TRY_ON_PRICE}
        loading={control.isStarting}
        loadingText="Запускаем…"
        disabledReason={control.isOnline ? null : 'Нет сети'}
        onClick={onRestart}
      >
        Повторить
      </Button>
      <Button variant="quiet" size="sm" onClick={control.release}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
