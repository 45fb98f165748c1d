import { useQuery } from '@tanstack/react-query';
import { MousePointerClick, Presentation, Search } from 'lucide-react';
import { type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import sampleUrl from '#pwa/assets/samples/dress-photo.jpg';
import { HomeLink } from '#pwa/components/home-link.tsx';
import { Notice } from '#pwa/components/notice.tsx';
import { toast } from '#pwa/components/toast.ts';
import { KEEP_SCROLL } from '#pwa/device/keep-scroll.ts';
import { LinkedDownload } from '#pwa/features/downloads/linked-download.tsx';
import { isStalled } from '#pwa/features/generations/followed-generation.ts';
import { LikeLink } from '#pwa/features/generations/like-link.tsx';
import type { Line } from '#pwa/features/generations/line.tsx';
import { NextPhotoActions } from '#pwa/features/generations/next-photo-actions.tsx';
import { EmptyStage, PhotoStage } from '#pwa/features/generations/photo-stage.tsx';
import { PrepareNext } from '#pwa/features/generations/prepare-next.tsx';
import { ResumeStrip } from '#pwa/features/generations/resume-strip.tsx';
import { StartLaterAction } from '#pwa/features/generations/start-later-action.tsx';
import { EngineNote, ObstacleNotice, ToolNotOffered } from '#pwa/features/generations/start-notes.tsx';
import type { StartReadiness } from '#pwa/features/generations/start-readiness.ts';
import { useLikedSettings } from '#pwa/features/generations/use-liked-settings.ts';
import { useLinkedGeneration } from '#pwa/features/generations/use-linked-generation.ts';
import { useSeenResults } from '#pwa/features/notifications/use-seen-results.ts';
import { PhotoUpload, type PhotoUploadHandle } from '#pwa/features/photos/photo-upload.tsx';
import { useNextPhoto } from '#pwa/features/photos/use-next-photo.ts';
import { toolsQuery, useOffered, useVideoOffer } from '#pwa/features/tools/tools.ts';
import { GenerateAction } from '#pwa/features/videos/generate-action.tsx';
import { nameStage } from '#pwa/features/videos/generation-estimate.ts';
import { GenerationOverlay } from '#pwa/features/videos/generation-overlay.tsx';
import { useVideoTool, type VideoTool } from '#pwa/features/videos/use-video-tool.ts';
import { VideoHistory } from '#pwa/features/videos/video-history.tsx';
import { VideoResult } from '#pwa/features/videos/video-result.tsx';
import { VideoSets } from '#pwa/features/videos/video-sets.tsx';
import { VideoSettings } from '#pwa/features/videos/video-settings.tsx';
import { subjectPicture } from '#pwa/features/videos/video-subject.ts';
import { VIDEO_TEXTS } from '#pwa/features/videos/video-texts.ts';
import type { VideoView } from '#pwa/features/videos/video-tool.ts';
import { nb } from '#pwa/format.ts';
import { hasSampleQuery, withoutSampleQuery } from '#pwa/paths.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import {
  ForSignedIn,
  TOOL_COLUMNS,
  type ToolPageProps,
  useStarsFor,
  useStart,
  WhileWaiting,
} from './tool-page-parts.tsx';

/** Scrolling to a finished video waits this long, so that the start of its reveal animation is seen. */
const SCROLL_DELAY_MS = 1500;

export default function CreateVideoPage() {
  return <ForSignedIn page={CreateVideo} />;
}

function CreateVideo({ userId, isEmailVerified }: ToolPageProps) {
  const { upload, askAfter, focusAfter } = useNextPhoto();
  const video = useVideoTool(userId, focusAfter);
  const { draft, shown } = video;
  const { followed, later, isAttached } = video.control;
  const price = videoPrice(draft.form.duration);
  const { balance } = useStarsFor('video', price);
  const isDemonstration = useQuery(toolsQuery).data?.mover === 'camera';
  const stage = useRef<HTMLElement>(null);
  const form = useRef<HTMLElement>(null);

  useArrivalsInView(stage, video);
  useLinkedGeneration(video.showGeneration, video.control.isRestored);
  const liked = useLikedSettings('video', video.isRestored, (view) => focusAfter(() => video.makeLike(view)));
  useVideoSeen(video);
  const showsOverlay = followed !== null && isAttached && shown === null;
  const hasPhoto = draft.photo !== null;
  const { readiness, isStartedLater, line } = useStart('video', {
    control: video.control,
    price,
    hasPhoto,
    balance,
    isEmailVerified,
    mayWait: hasPhoto || later.hasWaitingPhoto,
  });
  // On a narrow screen the stage is hidden while it has only the photo to show, so that the form comes first.
  const isStageIdle = !shown && !showsOverlay;
  const toStage = (action: () => void) => () => {
    action();
    // The pressed button disappears with its overlay, so the focus moves to the stage around it.
    stage.current?.focus({ preventScroll: true });
  };

  return (
    <>
      <PageHead />
      {followed && !showsOverlay && (
        <ResumeStrip
          followed={followed}
          pictureUrl={subjectPicture(followed.subject)}
          title={
            isStalled(followed.step) ? VIDEO_TEXTS.serverUnreachable : nameStage(followed.status, followed.progress)
          }
          action="Восстановить отслеживание"
          onAttach={toStage(video.attach)}
        />
      )}
      <div className={TOOL_COLUMNS}>
        <section
          ref={form}
          tabIndex={-1}
          className={`outline-none scroll-mt-4 grid grid-cols-1 gap-4 lg:gap-3 content-start min-w-0 ${isStageIdle ? 'max-lg:order-1' : 'max-lg:order-2'}`}
          aria-label="Фото и настройки"
        >
          <FormPanel
            video={video}
            readiness={readiness}
            balance={balance}
            line={line}
            isStartedLater={isStartedLater}
            upload={upload}
            liked={liked}
            // While the stage is hidden, the form shows the note instead.
            showsNote={isDemonstration && isStageIdle}
          />
        </section>
        <section
          ref={stage}
          tabIndex={-1}
          className={`min-w-0 outline-none scroll-mt-4 ${isStageIdle ? 'max-lg:hidden' : 'max-lg:order-1'}`}
          aria-label="Видео"
        >
          <Middle
            video={video}
            userId={userId}
            showsOverlay={showsOverlay}
            readiness={readiness}
            isDemonstration={isDemonstration}
            toStage={toStage}
            onPrepareNext={() => askAfter(video.nextPhoto)}
            next={<NextStep video={video} form={form} onNextPhoto={() => askAfter(video.nextPhoto)} />}
          />
        </section>
        <section className="max-lg:order-3 min-w-0" aria-label="История видео">
          <VideoHistory shownVideoId={shown?.videoId ?? null} onChoose={video.show} />
        </section>
      </div>
      <BenefitCards />
      <LinkedDownload generationId={shown?.videoId} />
    </>
  );
}

/** The video that the page shows, or the one that has just ended, is not new any more. */
function useVideoSeen({ shown, control: { followed } }: ReturnType<typeof useVideoTool>): void {
  const hasEnded = followed?.step === 'failed' || followed?.step === 'completed';
  const shownId = shown?.videoId ?? (hasEnded ? followed.generationId : null);
  useSeenResults(shownId === null ? [] : [shownId]);
}

function PageHead() {
  return (
    <>
      <HomeLink />
      <h1 className="ptitle mb-6">Создать видео</h1>
      <ObstacleNotice kind="video" className="mb-6" />
    </>
  );
}

interface FormPanelProps {
  video: VideoTool;
  readiness: StartReadiness;
  balance: number | null;
  line: Line;
  /** There is no network, or there was none when the person agreed to the start. */
  isStartedLater: boolean;
  showsNote: boolean;
  upload: Ref<PhotoUploadHandle>;
  liked: VideoView | null;
}

/** The photo, the settings and the start button. */
function FormPanel({ video, readiness, balance, line, isStartedLater, showsNote, upload, liked }: FormPanelProps) {
  const sample = useSamplePhoto();
  const isOffered = useOffered().includes('video');
  const videoOffer = useVideoOffer();
  const { draft, shown } = video;
  const { later, isRunning, isStarting, isQueueing } = video.control;
  if (!isOffered) return <ToolNotOffered />;
  return (
    <>
      <PhotoUpload
        ref={upload}
        photo={draft.photo}
        onChange={video.changePhoto}
        onArticleChange={video.changeArticle}
        slot="video"
        takesReceived
        incoming={sample}
        isLocked={isStarting || isQueueing}
      />
      <EngineNote kind="video" />
      <VideoSets form={draft.form} liked={liked} onChange={video.changeForm} />
      <VideoSettings form={draft.form} offer={videoOffer} replacement={video.replacement} onChange={video.changeForm} />
      {showsNote && <DemonstrationNote className="lg:hidden" />}
      {isStartedLater ? (
        <StartLaterAction
          later={later}
          price={readiness.price}
          onAgree={video.startLater}
          className="start-action lg:static"
        />
      ) : (
        <GenerateAction
          readiness={readiness}
          balance={balance}
          isBusy={isStarting || video.isFormMade}
          isQueueing={isQueueing}
          isQueued={isRunning}
          line={line}
          isAgain={video.isAgain}
          isResultShown={shown !== null}
          onGenerate={video.start}
        />
      )}
    </>
  );
}

interface NextStepProps {
  video: VideoTool;
  form: RefObject<HTMLElement | null>;
  onNextPhoto: () => void;
}

/** How to go on after the shown video. */
function NextStep({ video: { shown, otherSettings }, form, onNextPhoto }: NextStepProps) {
  if (!shown?.isNew) return shown && <LikeLink generationId={shown.videoId} made="video" />;
  const toForm = (leaveResult: () => void) => () => {
    // On a narrow screen the form takes the place of the stage.
    flushSync(leaveResult);
    form.current?.focus({ preventScroll: true });
    bringIntoView(form.current);
  };
  return <NextPhotoActions onNextPhoto={onNextPhoto} onOtherSettings={otherSettings && toForm(otherSettings)} />;
}

interface MiddleProps {
  video: VideoTool;
  userId: number;
  /** Whether the progress of the followed generation covers its photo. */
  showsOverlay: boolean;
  /** Decides about a restart. */
  readiness: StartReadiness;
  isDemonstration: boolean;
  toStage: (action: () => void) => () => void;
  onPrepareNext: () => void;
  /** How to go on after the shown video. */
  next: ReactNode;
}

/** A finished video, the generation in progress over its photo, or a placeholder. */
function Middle({
  video,
  userId,
  showsOverlay,
  readiness,
  isDemonstration,
  toStage,
  onPrepareNext,
  next,
}: MiddleProps) {
  const { draft, shown, control } = video;
  const { followed, isRunning: isGenerating } = control;
  const isWaiting = isGenerating && showsOverlay;
  const made = showsOverlay ? followed : null;
  return (
    <div className="max-w-[412px] mx-auto">
      {shown ? (
        <VideoResult video={shown} next={next} />
      ) : !made && !draft.photo ? (
        <EmptyStage aspectRatio={draft.form.aspectRatio} text="Здесь появится видео" />
      ) : (
        <PhotoStage
          pictureUrl={(made && subjectPicture(made.subject)) || draft.photo?.previewUrl || null}
          aspectRatio={(made?.subject.form ?? draft.form).aspectRatio}
        >
          {made && (
            <GenerationOverlay
              followed={made}
              control={{ ...control, cancel: toStage(control.cancel), checkAgain: toStage(control.checkAgain) }}
              readiness={readiness}
              onRetrieve={toStage(video.retrieve)}
              onRestart={toStage(video.restart)}
              onAnotherPhoto={toStage(video.nextPhoto)}
            />
          )}
        </PhotoStage>
      )}
      {isWaiting && video.isFormMade && <PrepareNext className="mt-5" onPress={onPrepareNext} />}
      <WhileWaiting userId={userId} isWaiting={isWaiting} sample="Видео готово" className="mt-5" />
      {!shown && isDemonstration && <DemonstrationNote className="mt-5" />}
    </div>
  );
}

/** Scrolls to the stage when something new appears in it. */
function useArrivalsInView(stage: RefObject<HTMLElement | null>, { control, shown, arrivals }: VideoTool) {
  // The start button is far below the stage, so its result is scrolled into view.
  const followedId = control.isAttached ? (control.followed?.generationId ?? null) : null;
  const chosenId = shown && !shown.isNew ? shown.videoId : null;
  useEffect(() => {
    if (followedId !== null || chosenId !== null) bringIntoView(stage.current);
  }, [stage, followedId, chosenId]);
  useEffect(() => {
    if (arrivals === 0) return;
    const timer = setTimeout(() => bringIntoView(stage.current), SCROLL_DELAY_MS);
    return () => clearTimeout(timer);
  }, [stage, arrivals]);
}

function DemonstrationNote({ className = '' }: { className?: string }) {
  return (
    <Notice tone="info" className={className}>
      {nb('Это демонстрация движения: камера движется по вашему снимку, новых пикселей нет.')}
    </Notice>
  );
}

const BENEFITS = [
  { Icon: Presentation, title: 'Презентация товара', text: 'Посадка и ткань видны в движении' },
  { Icon: Search, title: 'SEO-продвижение', text: 'Видео делает карточку полнее для поиска площадки' },
  { Icon: MousePointerClick, title: 'CTR и конверсия', text: 'Движение привлекает внимание к карточке' },
];

/** What a video does for a product card. */
function BenefitCards() {
  return (
    <ul className="grid md:grid-cols-3 gap-x-8 gap-y-4 mt-10 pt-6 border-t border-line">
      {BENEFITS.map(({ Icon, title, text }) => (
        <li key={title} className="flex gap-3">
          <Icon className="ic mt-0.5" />
          <div>
            <div className="font-semibold text-sm">{title}</div>
            <p className="text-sm text-muted">{nb(text)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Scrolls to an element whose top is hidden or in the lower half of the window. */
function bringIntoView(element: HTMLElement | null): void {
  const top = element?.getBoundingClientRect().top ?? 0;
  if (top >= 0 && top < innerHeight / 2) return;
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element?.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'start' });
}

/** The sample photo that the address asks for, once it is loaded. The request is removed from the address at once. */
function useSamplePhoto(): File | null {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [sample, setSample] = useState<File | null>(null);
  useEffect(() => {
    if (!hasSampleQuery(search)) return;
    // Otherwise a reload would upload it again.
    void navigate({ search: withoutSampleQuery(search) }, { replace: true, state: KEEP_SCROLL });
    fetchSample().then(setSample, () =>
      toast({
        title: 'Не удалось загрузить пример',
        description: nb('Проверьте сеть и попробуйте ещё раз или выберите своё фото'),
        tone: 'danger',
      }),
    );
  }, [search, navigate]);
  return sample;
}

async function fetchSample(): Promise<File> {
  const response = await fetch(sampleUrl);
  if (!response.ok) throw new Error(`the sample answers ${response.status}`);
  return new File([await response.blob()], 'Образец.jpg', { type: 'image/jpeg' });
}
