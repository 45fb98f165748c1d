import { useQuery } from '@tanstack/react-query';
import { Download, Share2 } from 'lucide-react';
import { Fragment, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '#pwa/components/button.tsx';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { PictureViewer } from '#pwa/components/picture-viewer.tsx';
import { DownloadButton } from '#pwa/features/downloads/download-button.tsx';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { ShareButton } from '#pwa/features/downloads/share-button.tsx';
import { BuyStarsButton } from '#pwa/features/generations/buy-stars-button.tsx';
import { explainFailure } from '#pwa/features/generations/describe-failure.ts';
import { type Line, LineNote } from '#pwa/features/generations/line.tsx';
import { EmptyStage, PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { PrepareNext } from '#pwa/features/generations/prepare-next.tsx';
import { PriceLine } from '#pwa/features/generations/price-line.tsx';
import { RerollButton } from '#pwa/features/generations/reroll-button.tsx';
import { StartLaterAction } from '#pwa/features/generations/start-later-action.tsx';
import { EngineNote, ObstacleNotice, ToolNotOffered } from '#pwa/features/generations/start-notes.tsx';
import { useLikedSettings } from '#pwa/features/generations/use-liked-settings.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { EnlargeablePhotoCard } from '#pwa/features/photos/enlargeable-photo-card.tsx';
import { PhotoUpload, type PhotoUploadHandle } from '#pwa/features/photos/photo-upload.tsx';
import { useNextPhoto } from '#pwa/features/photos/use-next-photo.ts';
import { warnOfPhoto } from '#pwa/features/photosessions/describe-photosession.ts';
import { PhotosessionHistory } from '#pwa/features/photosessions/photosession-history.tsx';
import { PhotosessionProgress } from '#pwa/features/photosessions/photosession-progress.tsx';
import { PhotosessionResult, sortFrames, toFrameTarget } from '#pwa/features/photosessions/photosession-result.tsx';
import { FeatureCards, SessionPromise, SessionStart } from '#pwa/features/photosessions/photosession-setup.tsx';
import { PHOTOSESSION_TEXTS } from '#pwa/features/photosessions/photosession-texts.ts';
import type { FollowedSession, PhotosessionFrame } from '#pwa/features/photosessions/photosession-tool.ts';
import { type PhotosessionTool, usePhotosessionTool } from '#pwa/features/photosessions/use-photosession-tool.ts';
import { toolsQuery, useFrameSort, useOffered } from '#pwa/features/tools/tools.ts';
import { nb } from '#pwa/format.ts';
import { findRemedy } from '#shared/rules/generation-lifecycle.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { nameFrame } from '#shared/rules/tool-abilities.ts';
import {
  ForSignedIn,
  TOOL_COLUMNS,
  type ToolPageProps,
  useStarsFor,
  useStart,
  WhileWaiting,
} from './tool-page-parts.tsx';

export default function PhotoshootPage() {
  return <ForSignedIn page={Photoshoot} />;
}

function Photoshoot({ userId, isEmailVerified }: ToolPageProps) {
  const { balance, buyStars } = useStarsFor('photosession', PHOTOSESSION_PRICE);
  const { upload, askAfter, focusAfter } = useNextPhoto();
  const session = usePhotosessionTool(userId, buyStars, focusAfter);
  const { photo, control } = session;
  const { followed, later, isRunning } = control;
  const isOffered = useOffered().includes('photosession');
  const view = followed?.view ?? null;
  const [viewedIndex, setViewedIndex] = useState<number | null>(null);
  const stage = useRef<HTMLElement>(null);

  // Lost frames can be neither enlarged nor downloaded.
  const frames = sortFrames(view?.results ?? []).filter(({ loss }) => !loss);
  const isFailed = followed?.status === 'failed';
  const isCompleted = followed?.status === 'completed';
  // On a narrow screen the stage is hidden while it has only the photo to show, and a result hides an empty form.
  const isIdle = !isRunning && !isCompleted;
  const isFormHidden = isCompleted && !hasNext(session);
  useLinkedGeneration(control.show, control.isRestored);
  // A session has nothing to choose, so another one like it needs only a photo.
  useLikedSettings('photosession', control.isRestored, () => focusAfter(session.nextPhoto));
  useSeenResults(isFailed || isCompleted ? [followed.generationId] : []);
  const enlarge = (image: PhotosessionFrame) => setViewedIndex(frames.findIndex(({ id }) => id === image.id));

  usePhaseInView(stage, isCompleted ? 'completed' : isRunning ? 'running' : 'setup');
  const hasPhoto = photo !== null;
  const { readiness, isStartedLater, line } = useStart('photosession', {
    control,
    price: PHOTOSESSION_PRICE,
    hasPhoto,
    balance,
    isEmailVerified,
    mayWait: hasPhoto || later.hasWaitingPhoto,
  });

  return (
    <>
      <HomeLink />
      <PageHead balance={balance} />
      <ObstacleNotice kind="photosession" className="mb-6" />
      {!isOffered && !followed ? (
        <ToolNotOffered />
      ) : (
        <div className={TOOL_COLUMNS}>
          <section
            className={`grid grid-cols-1 gap-4 content-start min-w-0 ${isFormHidden ? 'max-lg:hidden' : isIdle ? '' : 'max-lg:order-2'}`}
            aria-label="Фото и настройки"
          >
            <FormPanel
              session={session}
              upload={upload}
              isStartedLater={isStartedLater}
              line={line}
              start={
                <SessionStart
                  readiness={readiness}
                  balance={balance}
                  line={line}
                  isBusy={control.isStarting || control.isQueueing}
                  isQueued={isRunning}
                  onStart={session.start}
                />
              }
            />
          </section>
          <section
            ref={stage}
            tabIndex={-1}
            className={`min-w-0 outline-none scroll-mt-24 ${isIdle ? 'max-lg:hidden' : 'max-lg:order-1'}`}
            aria-label="Фотосессия"
          >
            {isCompleted && view ? (
              <PhotosessionResult session={view} onEnlarge={enlarge} onCreateNew={() => askAfter(session.nextPhoto)} />
            ) : isRunning && followed ? (
              <PhotosessionProgress followed={followed} control={control} onEnlarge={enlarge} />
            ) : (
              <div className="max-w-[412px] mx-auto">
                {photo ? (
                  <PhotoStage pictureUrl={photo.previewUrl} />
                ) : (
                  <EmptyStage aspectRatio="3:4" text="Здесь появятся кадры" />
                )}
              </div>
            )}
            {isRunning && session.isFormMade && (
              <PrepareNext className="mt-6" onPress={() => askAfter(session.nextPhoto)} />
            )}
            <WhileWaiting userId={userId} isWaiting={isRunning} sample="Фотосессия готова" className="mt-6" />
          </section>
          <section className="max-lg:order-3 min-w-0" aria-label="История фотосессий">
            <PhotosessionHistory shownId={isCompleted ? followed.generationId : null} onChoose={control.show} />
          </section>
        </div>
      )}
      {!isCompleted && <FeatureCards />}
      <FrameViewer frames={frames} sessionId={view?.id} index={viewedIndex} onIndexChange={setViewedIndex} />
      <LinkedDownload generationId={view?.id} />
    </>
  );
}

function PageHead({ balance }: { balance: number | null }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3 mb-6">
      <h1 className="ptitle">{nb('Фотосессия по одному фото')}</h1>
      <PriceLine balance={balance} price={PHOTOSESSION_PRICE} />
    </div>
  );
}

interface FormPanelProps {
  session: PhotosessionTool;
  upload: Ref<PhotoUploadHandle>;
  /** There is no network, or there was none when the person agreed to the start. */
  isStartedLater: boolean;
  /** The start button, shown while there is a network. */
  start: ReactNode;
  line: Line;
}

/** The photo and the way to start a session of it. */
function FormPanel({ session, upload, isStartedLater, start, line }: FormPanelProps) {
  const { photo, control } = session;
  const { followed, later, isRunning, isStarting, isQueueing } = control;
  const isFailed = followed?.status === 'failed';
  const isCompleted = followed?.status === 'completed';
  const frameSort = useFrameSort();
  const isDemonstration = useQuery(toolsQuery).data?.frames === 'views';
  return (
    <>
      <PhotoUpload
        ref={upload}
        slot="photosession"
        photo={photo}
        onChange={session.choosePhoto}
        onArticleChange={session.changeArticle}
        isLocked={isStarting || isQueueing}
        card={EnlargeablePhotoCard}
        warnOf={(chosen) => warnOfPhoto(chosen, frameSort)}
      />
      {!isRunning && <EngineNote kind="photosession" />}
      {isFailed && <Failure followed={followed} onAnotherPhoto={session.nextPhoto} />}
      {!isRunning && !followed && <SessionPromise />}
      {isDemonstration && !isRunning && !isCompleted && (
        <Notice tone="info">
          {nb(
            'Демонстрационный движок делает пять кадров из самого снимка: меняет план, наклон и фон, а позу человека оставляет.',
          )}
        </Notice>
      )}
      {(isRunning || isCompleted) && !hasNext(session) ? (
        <LineNote line={line} />
      ) : isStartedLater ? (
        <StartLaterAction
          later={later}
          price={PHOTOSESSION_PRICE}
          onAgree={session.startLater}
          className="start-action lg:static"
        />
      ) : (
        start
      )}
    </>
  );
}

/** Whether the form stands for another session than the shown one. An ended one leaves its form empty. */
function hasNext({ photo, isFormMade, control: { isRunning } }: PhotosessionTool): boolean {
  return !isFormMade && (isRunning || photo !== null);
}

/** Why there are no frames, and what helps. */
function Failure({ followed, onAnotherPhoto }: { followed: FollowedSession; onAnotherPhoto: () => void }) {
  const { view } = followed;
  const remedy = findRemedy(view?.failure?.code ?? null);
  return (
    <Notice
      tone="danger"
      title={PHOTOSESSION_TEXTS.failed}
      action={
        remedy === 'another_photo' ? (
          <Button variant="second" size="sm" onClick={onAnotherPhoto}>
            Выбрать другое фото
          </Button>
        ) : remedy === 'stars' ? (
          <BuyStarsButton source="photosession" variant="second" size="sm" />
        ) : view?.rerollOf ? (
          <RerollButton kind="photosession" generationId={view.rerollOf} />
        ) : null
      }
    >
      {explainFailure(followed, PHOTOSESSION_PRICE, PHOTOSESSION_TEXTS.failedHint)}
    </Notice>
  );
}

interface FrameViewerProps {
  frames: PhotosessionFrame[];
  sessionId: string | undefined;
  index: number | null;
  onIndexChange: (index: number | null) => void;
}

/** The viewer for the frames. */
function FrameViewer({ frames, sessionId, index: viewed, onIndexChange }: FrameViewerProps) {
  const frameSort = useFrameSort();
  return (
    <PictureViewer
      pictures={frames.map((image) => ({
        id: image.id,
        url: image.url,
        title: nameFrame(frameSort, image.position),
      }))}
      index={viewed}
      onIndexChange={onIndexChange}
      actions={(index) => {
        const image = frames[index];
        if (!image) return null;
        const target = toFrameTarget(image);
        const button = { generationId: sessionId, variant: 'plate', size: 'sm' } as const;
        return (
          <Fragment key={image.id}>
            <DownloadButton {...button} target={target} icon={<Download className="ic ic-s" />} />
            <ShareButton {...button} targets={[target]} icon={<Share2 className="ic ic-s" />} />
          </Fragment>
        );
      }}
    />
  );
}

/** Scrolls to the new phase: its button is far below and has disappeared. */
function usePhaseInView(stage: RefObject<HTMLElement | null>, phase: 'completed' | 'running' | 'setup'): void {
  const previousPhase = useRef(phase);
  useEffect(() => {
    if (previousPhase.current === phase) return;
    previousPhase.current = phase;
    if (document.activeElement === document.body) stage.current?.focus({ preventScroll: true });
    if (phase !== 'completed' && (stage.current?.getBoundingClientRect().top ?? 0) >= 0) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    stage.current?.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'nearest' });
  }, [stage, phase]);
}
