import type { ReactNode } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { nb } from '#pwa/format.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { CancelButton } from './cancel-button.tsx';
import type { Followed } from './followed-generation.ts';
import { GARMENT_TEXTS } from './garment-texts.ts';
import { POLL_FAILED } from './generation-tool.ts';
import { PhotoStage } from './photo-stage.tsx';
import { ProblemCard } from './problem-card.tsx';
import { Remedies, type RemediesProps } from './remedies.tsx';
import { RunningCaption } from './running-caption.tsx';
import type { GenerationControl } from './use-generation-tool.ts';
import { useRunning } from './use-running.ts';

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
  /** What can be done while it runs. */
  next: ReactNode;
}

/** A generation of one picture that runs or has ended without it, over its photo, and beside it what it is made from. */
export function PictureStage(props: PictureStageProps) {
  const { followed, photo, children, next } = props;
  const { view } = followed;
  const hasEnded = isFinal(followed.status);
  return (
    <div className="lg:grid grid-cols-[minmax(0,430px)_280px] gap-14 items-start">
      <PhotoStage pictureUrl={photo?.previewUrl ?? null} className="max-lg:mx-2">
        {hasEnded ? <Problem {...props} /> : <Running {...props} />}
      </PhotoStage>
      <div className="max-lg:mt-7">
        <div className="panel p-4">
          {children}
          {/* The server's first answer says whether the generation costs anything. */}
          {!hasEnded && view && (
            <p className="text-sm text-muted mt-4">
              {nb(view.rerollOf === null ? 'Если не получится, звезда вернётся на баланс.' : GARMENT_TEXTS.freeWait)}
            </p>
          )}
        </div>
        {!hasEnded && next}
      </div>
    </div>
  );
}

function Running({ kind, followed, control, work, isRemote }: PictureStageProps) {
  const { isOnline } = control;
  const { elapsed, share, percent, hint } = useRunning(kind, followed);
  const isUnreachable = isOnline && followed.failuresInARow > 0;
  return (
    <RunningCaption
      generationId={followed.generationId}
      title={work}
      elapsedSeconds={elapsed}
      work={percent}
      announcedWork={percent && `готово ${percent}`}
      share={share}
      remoteStatus={isRemote ? followed.status : null}
      isStill={!isOnline || isUnreachable}
    >
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
        <p>{nb(hint)}</p>
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
