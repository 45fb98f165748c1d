import { type Ref, useRef } from 'react';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { useFocusOnChange } from '#pwa/device/use-focus-on-change.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import type { Line } from '#pwa/features/generations/line.tsx';
import { PrepareNext } from '#pwa/features/generations/prepare-next.tsx';
import { PriceLine } from '#pwa/features/generations/price-line.tsx';
import { QUEUE_TEXTS } from '#pwa/features/generations/queue-texts.ts';
import { ResumeStrip } from '#pwa/features/generations/resume-strip.tsx';
import { SettingSets } from '#pwa/features/generations/setting-sets.tsx';
import { StartAction } from '#pwa/features/generations/start-action.tsx';
import { StartLaterAction } from '#pwa/features/generations/start-later-action.tsx';
import { EngineNote, ObstacleNotice } from '#pwa/features/generations/start-notes.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { useLikedSettings } from '#pwa/features/generations/use-liked-settings.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { PhotoUpload, type PhotoUploadHandle } from '#pwa/features/photos/photo-upload.tsx';
import { useNextPhoto } from '#pwa/features/photos/use-next-photo.ts';
import { TryOnResult } from '#pwa/features/try-on/try-on-result.tsx';
import { CategoryChoice } from '#pwa/features/try-on/try-on-setup.tsx';
import { describeWork, TryOnStage } from '#pwa/features/try-on/try-on-stage.tsx';
import { TRY_ON_TEXTS } from '#pwa/features/try-on/try-on-texts.ts';
import type { TryOnView } from '#pwa/features/try-on/try-on-tool.ts';
import { type TryOnTool, useTryOnTool } from '#pwa/features/try-on/use-try-on-tool.ts';
import { nb } from '#pwa/format.ts';
import { type ToolPageProps, useStarsFor, useStart, WhileWaiting } from '#pwa/pages/tool-page-parts.tsx';
import { DEFAULT_GARMENT_CATEGORY, GARMENT_CATEGORY_NAMES } from '#shared/rules/garments.ts';
import { TRY_ON_PRICE } from '#shared/rules/prices.ts';

/** The page of try-on: two photos become one. */
export function FittingRoom({ userId, isEmailVerified }: ToolPageProps) {
  const { balance, buyStars } = useStarsFor('try_on', TRY_ON_PRICE);
  const { upload, askAfter, focusAfter } = useNextPhoto();
  const tool = useTryOnTool(userId, buyStars, focusAfter);
  const { control } = tool;
  const { garment, person } = tool.draft;
  const { readiness, isStartedLater, line } = useStart('try_on', {
    control,
    price: TRY_ON_PRICE,
    hasPhoto: garment !== null && person !== null,
    balance,
    isEmailVerified,
    mayWait: person !== null && (garment !== null || control.later.hasWaitingPhoto),
  });
  const { followed, isRunning, isAttached } = control;
  const stage = useRef<HTMLElement>(null);
  const view = followed?.view ?? null;
  const picture = followed?.status === 'completed' ? view?.results[0] : undefined;
  useLinkedGeneration(control.show, control.isRestored);
  const liked = useLikedSettings('try_on', tool.isRestored, (made) => focusAfter(() => tool.makeLike(made)));
  useSeenResults(followed && !isRunning ? [followed.generationId] : []);
  const phase = !isAttached ? 'setup' : picture ? 'completed' : 'followed';
  // The result focuses its own heading.
  useFocusOnChange(stage, phase, control.isRestored, phase === 'completed');
  return (
    <>
      <PageHead balance={balance} />
      <ObstacleNotice kind="try_on" className="mb-6" />
      {followed && !isAttached && (
        <ResumeStrip
          followed={followed}
          pictureUrl={picture?.previewUrl ?? followed.subject.person?.thumbnailUrl ?? null}
          title={picture ? TRY_ON_TEXTS.completed : isRunning ? describeWork(followed) : TRY_ON_TEXTS.failed}
          action={isRunning ? QUEUE_TEXTS.showProgress : QUEUE_TEXTS.showEnd}
          onAttach={control.attach}
        />
      )}
      <section ref={stage} tabIndex={-1} className="outline-none scroll-mt-24" aria-label="Примерка">
        {followed && isAttached && view && picture ? (
          <TryOnResult
            subject={followed.subject}
            view={view}
            picture={picture}
            onNextPhoto={() => askAfter(tool.nextPhoto)}
            onOtherSettings={tool.otherSettings}
          />
        ) : followed && isAttached ? (
          <TryOnStage
            followed={followed}
            control={control}
            readiness={readiness}
            onRestart={tool.restart}
            next={<PrepareNext line={line} className="mt-6" onPress={() => askAfter(tool.nextPhoto)} />}
          />
        ) : (
          <Setup
            tool={tool}
            readiness={readiness}
            balance={balance}
            line={line}
            isStartedLater={isStartedLater}
            upload={upload}
            liked={liked}
          />
        )}
      </section>
      <WhileWaiting
        userId={userId}
        isWaiting={isRunning}
        sample={TRY_ON_TEXTS.completed}
        className="mt-6 max-w-[430px]"
      />
      <LinkedDownload generationId={view?.id} />
    </>
  );
}

function PageHead({ balance }: { balance: number | null }) {
  return (
    <>
      <HomeLink />
      <div className="flex flex-wrap items-end justify-between gap-3 mb-6">
        <h1 className="ptitle">Виртуальная примерка</h1>
        <PriceLine balance={balance} price={TRY_ON_PRICE} />
      </div>
    </>
  );
}

interface SetupProps {
  tool: TryOnTool;
  readiness: StartReadiness;
  balance: number | null;
  line: Line;
  /** There is no network, or there was none when the person agreed to the start. */
  isStartedLater: boolean;
  /** The upload of the garment. */
  upload: Ref<PhotoUploadHandle>;
  liked: TryOnView | null;
}

/** Both photos, what the garment is, and the start. */
function Setup({ tool, readiness, balance, line, isStartedLater, upload, liked }: SetupProps) {
  const { control, draft } = tool;
  const { garment, person, category } = draft;
  const { later, isRunning, isStarting, isQueueing } = control;
  const isBusy = isStarting || isQueueing;
  const hasGarment = garment !== null || later.hasWaitingPhoto;
  // What is pasted or was shared fills the first empty place.
  const isPersonNext = hasGarment && person === null;
  return (
    <div className="xl:grid xl:grid-cols-[minmax(0,1fr)_minmax(0,360px)] xl:gap-10 items-start">
      <div className="grid grid-cols-1 md:grid-cols-2 gap-8 xl:gap-10 items-start max-xl:mb-8">
        <PhotoUpload
          ref={upload}
          slot="try_on"
          photo={garment}
          onChange={tool.chooseGarment}
          onArticleChange={tool.changeArticle}
          isLocked={isBusy}
          isMain={!isPersonNext}
        />
        <PhotoUpload
          slot="try_on_person"
          shows="person"
          photo={person}
          onChange={tool.choosePerson}
          isLocked={isBusy}
          isMain={isPersonNext}
        />
      </div>
      {/* On a narrow screen the start button sticks within the whole page, and not only below the photos. */}
      <div className="max-xl:contents">
        <div className="md:max-xl:max-w-[430px]">
          <SettingSets
            kind="try_on"
            settings={{ category }}
            suggestedName={GARMENT_CATEGORY_NAMES[category]}
            isShown={(settings) => settings.category === category}
            isDefault={category === DEFAULT_GARMENT_CATEGORY}
            liked={liked}
            onChoose={(settings) => tool.chooseCategory(settings.category)}
            onReset={() => tool.chooseCategory(DEFAULT_GARMENT_CATEGORY)}
            className="mb-4"
          />
          <CategoryChoice value={category} onChange={tool.chooseCategory} />
          <p className="text-sm text-muted mt-4">
            {nb('Получится фото этого человека в вашей вещи. Поза и фон останутся, как на его фото.')}
          </p>
          <EngineNote kind="try_on" className="mt-4" />
        </div>
        {isStartedLater ? (
          <StartLaterAction
            later={later}
            price={TRY_ON_PRICE}
            onAgree={tool.startLater}
            className="start-action mt-6"
          />
        ) : (
          <StartAction
            kind="try_on"
            readiness={readiness}
            balance={balance}
            shortTitle={TRY_ON_TEXTS.notEnoughStars}
            photoReason={garment ? 'Добавьте фото человека' : 'Добавьте фото вещи'}
            isBusy={isBusy}
            isQueued={isRunning}
            line={line}
            loadingText="Запускаем…"
            price={TRY_ON_PRICE}
            wide
            onStart={tool.start}
            className="mt-6"
          >
            {TRY_ON_TEXTS.start}
          </StartAction>
        )}
      </div>
    </div>
  );
}
