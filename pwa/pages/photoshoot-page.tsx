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
import { PriceLine } from '#pwa/features/generations/price-line.tsx';
import { RerollButton } from '#pwa/features/generations/reroll-button.tsx';
import { StartLaterAction } from '#pwa/features/generations/start-later-action.tsx';
import { EngineNote, ObstacleNotice, ToolNotOffered } from '#pwa/features/generations/start-notes.tsx';
import { useLikedSettings } from '#pwa/features/generations/use-liked-settings.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { LargePhotoCard } from '#pwa/features/photos/large-photo-card.tsx';
import { PhotoUpload, type PhotoUploadHandle } from '#pwa/features/photos/photo-upload.tsx';
import { useNextPhoto } from '#pwa/features/photos/use-next-photo.ts';
import { warnOfPhoto } from '#pwa/features/photosessions/describe-photosession.ts';
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
import { ForSignedIn, type ToolPageProps, useStarsFor, useStart, WhileWaiting } from './tool-page-parts.tsx';

export default function PhotoshootPage() {
  return <ForSignedIn page={Photoshoot} />;
}

function Photoshoot({ userId, isEmailVerified }: ToolPageProps) {
  const { balance, buyStars } = useStarsFor('photosession', PHOTOSESSION_PRICE);
  const session = usePhotosessionTool(userId, buyStars);
  const { photo, control } = session;
  const { followed, later, isRunning, isStarting } = control;
  const view = followed?.view ?? null;
  const [viewedIndex, setViewedIndex] = useState<number | null>(null);
  const stage = useRef<HTMLElement>(null);

  // Lost frames can be neither enlarged nor downloaded.
  const frames = sortFrames(view?.results ?? []).filter(({ loss }) => !loss);
  const isFailed = followed?.status === 'failed';
  const isCompleted = followed?.status === 'completed';
  const { upload, askAfter, focusAfter } = useNextPhoto();
  useLinkedGeneration(control.show, control.isRestored);
  // A session has nothing to choose, so another one like it needs only a photo.
  useLikedSettings('photosession', control, () => focusAfter(session.reset));
  useSeenResults(isFailed || isCompleted ? [followed.generationId] : []);
  const enlarge = (image: PhotosessionFrame) => setViewedIndex(frames.findIndex(({ id }) => id === image.id));

  usePhaseInView(stage, isCompleted ? 'completed' : isRunning ? 'running' : 'setup');
  const hasPhoto = photo !== null;
  const { readiness, isStartedLater } = useStart('photosession', {
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
      <section ref={stage} tabIndex={-1} className="outline-none scroll-mt-24" aria-label="Фотосессия">
        {isCompleted && view ? (
          <PhotosessionResult session={view} onEnlarge={enlarge} onCreateNew={() => askAfter(session.reset)} />
        ) : (
          <Workbench
            userId={userId}
            session={session}
            upload={upload}
            isStartedLater={isStartedLater}
            onEnlarge={enlarge}
            start={
              <SessionStart
                {...{ readiness, balance, isBusy: isStarting, onStart: session.start, onBuyStars: buyStars }}
              />
            }
          />
        )}
      </section>
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

interface WorkbenchProps {
  userId: number;
  session: PhotosessionTool;
  upload: Ref<PhotoUploadHandle>;
  /** There is no network, or there was none when the person agreed to the start. */
  isStartedLater: boolean;
  onEnlarge: (image: PhotosessionFrame) => void;
  /** The start button, shown while there is a network. */
  start: ReactNode;
}

/** The photo and, beside it, the running session or the way to start one. */
function Workbench({ userId, session, upload, isStartedLater, onEnlarge, start }: WorkbenchProps) {
  const { photo, control } = session;
  const { followed, later, isRunning, isStarting } = control;
  const isFailed = followed?.status === 'failed';
  const frameSort = useFrameSort();
  const isDemonstration = useQuery(toolsQuery).data?.frames === 'views';
  const isOffered = useOffered().includes('photosession');
  if (!isOffered && !followed) return <ToolNotOffered />;
  return (
    <div className="lg:grid grid-cols-[300px_minmax(0,1fr)] gap-12">
      <div className="max-lg:mb-6 min-w-0">
        {(photo || !isRunning) && (
          <PhotoUpload
            ref={upload}
            slot="photosession"
            photo={photo}
            onChange={session.choosePhoto}
            onArticleChange={session.changeArticle}
            isLocked={isRunning || isStarting}
            card={LargePhotoCard}
            warnOf={(chosen) => warnOfPhoto(chosen, frameSort)}
          />
        )}
        {!isRunning && <EngineNote kind="photosession" className="mt-4" />}
      </div>
      {/* On a narrow screen the start button sticks within the whole page, and not only below the photo. */}
      <div className="min-w-0 max-lg:contents">
        {isRunning && followed && <PhotosessionProgress followed={followed} control={control} onEnlarge={onEnlarge} />}
        {isFailed && <Failure followed={followed} onAnotherPhoto={session.reset} />}
        {!isRunning && !isFailed && <SessionPromise />}
        {isDemonstration && !isRunning && (
          <Notice tone="info" className="mt-4">
            {nb(
              'Демонстрационный движок делает пять кадров из самого снимка: меняет план, наклон и фон, а позу человека оставляет.',
            )}
          </Notice>
        )}
        <WhileWaiting userId={userId} isWaiting={isRunning} sample="Фотосессия готова" className="mt-6" />
        <FeatureCards />
        {isRunning ? null : isStartedLater ? (
          <StartLaterAction
            later={later}
            price={PHOTOSESSION_PRICE}
            onAgree={session.startLater}
            className="start-action mt-8 max-w-[420px]"
          />
        ) : (
          start
        )}
      </div>
    </div>
  );
}

/** Why there are no frames, and what helps. The start button is below. */
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
