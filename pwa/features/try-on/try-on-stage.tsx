import { ResultPicture } from '#pwa/components/result-picture.tsx';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import { PictureStage, type PictureStageProps } from '#pwa/features/generations/picture-stage.tsx';
import { nameRemoteStage } from '#pwa/features/generations/remote-stages.tsx';
import { nb } from '#pwa/format.ts';
import { describeGarment } from '#shared/rules/garments.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';
import { TRY_ON_TEXTS } from './try-on-texts.ts';
import type { FollowedTryOn, TryOnDraft } from './try-on-tool.ts';

export interface TryOnStageProps extends Pick<PictureStageProps, 'control' | 'readiness' | 'onRestart' | 'next'> {
  followed: FollowedTryOn;
}

/** The person with the state of the generation over the photo, and beside it what is tried on. */
export function TryOnStage({ followed, ...rest }: TryOnStageProps) {
  const { subject } = followed;
  return (
    <PictureStage
      {...rest}
      kind="try_on"
      followed={followed}
      photo={subject.person}
      work={describeWork(followed)}
      isRemote
      problem={{
        title: TRY_ON_TEXTS.failed,
        text: explainFailure(followed, TRY_ON_PRICE, TRY_ON_TEXTS.failedHint),
      }}
    >
      <Garment subject={subject} />
    </PictureStage>
  );
}

/** The stage of the work. */
export function describeWork({ status, progress }: FollowedTryOn): string {
  return nameRemoteStage({ status, share: progress?.share ?? null });
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
