import type { ReactNode } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { useElapsedSeconds } from '#pwa/device/use-clock.ts';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { CancelButton } from './cancel-button.tsx';
import type { Followed } from './followed-generation.ts';
import { POLL_FAILED } from './generation-tool.ts';
import { PhotoStage } from './photo-stage.tsx';
import { ProblemCard } from './problem-card.tsx';
import { Remedies, type RemediesProps } from './remedies.tsx';
import { RemoteStages } from './remote-stages.tsx';
import { RunningCaption } from './running-caption.tsx';
import { useClosingHint } from './use-closing-hint.ts';
import type { GenerationControl } from './use-generation-tool.ts';
import { WaitingPrice } from './waiting-price.tsx';
import { describeWait } from './waiting-time.ts';

export interface PictureStageProps extends Omit<RemediesProps, 'view' | 'loadingText'> {
  followed: Followed<unknown>;
  control: Pick<
    GenerationControl<never, never, GenerationView>,
    'isOnline' | 'isStarting' | 'isCancelling' | 'cancel' | 'checkAgain' | 'release'
  >;
  /** The photo under the state; null when only the server knows it. */
  photo: UploadedPhoto | null;
  /** What is being done. */
  work: string;
  isRemote: boolean;
  /** Said when it has ended without a picture. */
  problem: { title: string; text: string };
  /** What the picture is made from. */
  children: ReactNode;
}

/** A generation of one picture that runs or has ended without it, over its photo, and beside it what it is made from. */
export function PictureStage(props: PictureStageProps) {
  const { followed, photo, children } = props;
  const hasEnded = isFinal(followed.status);
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_280px] gap-14 items-start">
      <PhotoStage pictureUrl={photo?.previewUrl ?? null} className="max-lg:mx-2">
        {hasEnded ? <Problem {...props} /> : <Running {...props} />}
      </PhotoStage>
      <div className="max-lg:mt-7 panel p-4">
        {children}
        {!hasEnded && <WaitingPrice view={followed.view} className="mt-4" />}
      </div>
    </div>
  );
}

function Running({ kind, followed, control, work, isRemote }: PictureStageProps) {
  const { isOnline } = control;
  const { progress, status } = followed;
  const elapsed = useElapsedSeconds(followed.startedAt);
  const closingHint = useClosingHint('галерее', isRemote);
  const share = progress?.share ?? null;
  const percent = share === null ? null : `${Math.round(share * 100)}\u00a0%`;
  const isUnreachable = isOnline && followed.failuresInARow > 0;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={work}
      elapsedSeconds={elapsed}
      work={percent}
      announcedWork={percent && `готово ${percent}`}
      share={share}
      isStill={!isOnline || isUnreachable}
    >
      {isRemote && <RemoteStages status={status} share={share} className="mb-4" />}
      {isUnreachable ? (
        <ProblemCard
          title={POLL_FAILED.title}
          text={nb(`${POLL_FAILED.description}. Генерация продолжается на сервере.`)}
        >
          <Button variant="second" size="sm" onClick={control.checkAgain}>
            Повторить
          </Button>
        </ProblemCard>
      ) : isOnline ? (
        <p>{nb([describeWait(kind, progress, elapsed), closingHint].filter(Boolean).join('. '))}</p>
      ) : (
        <p>Ждём сеть. Генерация продолжается на сервере.</p>
      )}
      <CancelButton variant="plate" control={control} className="mt-4" />
    </RunningCaption>
  );
}

function Problem({ problem, ...props }: PictureStageProps) {
  return (
    <ProblemCard {...problem}>
      <Remedies {...props} view={props.followed.view} />
      <Button variant="quiet" size="sm" onClick={props.control.release}>
        Изменить выбор
      </Button>
    </ProblemCard>
  );
}
