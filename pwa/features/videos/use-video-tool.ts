import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';
import { toast } from '#pwa/components/toast.ts';
import { logUserAction } from '#pwa/device/log.ts';
import { trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { generationQuery } from '#pwa/features/generations/generation-query.ts';
import type { StartRequest } from '#pwa/features/generations/generation-tool.ts';
import { isPhotoGone } from '#pwa/features/generations/start-readiness.ts';
import { useLastSettings } from '#pwa/features/generations/tool-settings.ts';
import { type GenerationControl, useGenerationTool } from '#pwa/features/generations/use-generation-tool.ts';
import { isOtherPhoto, useStoredDraft, withArticle } from '#pwa/features/generations/use-stored-draft.ts';
import { useVideoOffer } from '#pwa/features/tools/tools.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { type ShownVideo, showFromHistory, showResult } from './shown-video.ts';
import { VIDEO_DRAFT, type VideoDraft } from './video-draft.ts';
import { DEFAULT_VIDEO_FORM, fitForm, fromVideoSettings, type VideoForm } from './video-form.ts';
import { type PlayableVideo, videosQuery } from './video-queries.ts';
import type { VideoSubject } from './video-subject.ts';
import { GENERIC_ERROR_TITLE, VIDEO_TEXTS } from './video-texts.ts';
import { type FollowedVideo, VIDEO_TOOL, type VideoView } from './video-tool.ts';

/** The history is refetched this long after a video is ready. */
const LIST_REFRESH_DELAY_MS = 3000;

export interface VideoTool {
  control: GenerationControl<VideoForm, VideoSubject, VideoView>;
  /** False until the device's records have been read. */
  isRestored: boolean;
  draft: VideoDraft & { form: VideoForm };
  changeForm: (part: Partial<VideoForm>) => void;
  /** Says what replaces a choice that is not offered any more; null when nothing does. */
  replacement: string | null;
  /** Sets a new photo and hides what was shown of the previous one. */
  changePhoto: (photo: UploadedPhoto) => void;
  /** Takes over another article of the same photo. */
  changeArticle: (photo: UploadedPhoto) => void;
  /** Takes the followed generation to the stage, and its photo to an empty form. */
  attach: () => void;
  /** Whether the shown video was just made of the photo in the form. */
  isAgain: boolean;
  /** Whether the form shows what the running generation is made from, and nothing else was chosen yet. */
  isFormMade: boolean;
  shown: ShownVideo | null;
  show: (video: ShownVideo) => void;
  /** Shows a generation by its id: its video, or its progress. */
  showGeneration: (generationId: string) => void;
  /** Counts results shown because they were just made. The page scrolls to them. */
  arrivals: number;
  start: () => void;
  /** Tries what has failed once more. */
  restart: () => void;
  /** Agrees to start the current choice when there is a connection. */
  startLater: () => void;
  /** Fetches a finished video whose file is missing. */
  retrieve: () => void;
  /** «Следующее фото»: drops what is shown and its photo, and keeps its settings. Another photo that is there stays. */
  nextPhoto: () => void;
  /** Keeps the photo of the shown video and gives way to its settings. Null while there is no such photo. */
  otherSettings: (() => void) | null;
  /** «Сделать так же»: takes the settings of this generation and waits for another photo. */
  makeLike: (view: VideoView) => void;
}

/** `focusAfter` makes a change of the form and moves the focus to its upload. */
export function useVideoTool(userId: number, focusAfter: (change: () => void) => void): VideoTool {
  const queryClient = useQueryClient();
  const { draft, wanted, form, replacement, isRead, change, changeArticle, restore, clearPhoto } =
    useVideoDraft(userId);
  const { shown, setShown, arrivals, present } = useStageVideo(draft.photo);

  const leaveShown = () => {
    control.release();
    setShown(null);
  };
  const takeResult = (finished: FollowedVideo, isLate: boolean) => {
    control.release();
    present(finished, isLate);
  };
  const keepPhoto = (photo: UploadedPhoto) => {
    leaveShown();
    change((current) => ({ ...current, photo }));
  };
  const control = useGenerationTool(VIDEO_TOOL, userId, {
    onPresent({ origin, subject }) {
      if (origin === 'record') restore((current) => VIDEO_DRAFT.join(subject, current));
      if (origin === 'start' || origin === 'link') setShown(null);
    },
    onCompleted(finished, isLate) {
      if (!isLate) countCompleted(finished);
      takeResult(finished, isLate);
    },
    onStarted: countStarted,
    onQueued({ photo }) {
      if (draft.photo?.id === photo.id) focusAfter(() => clearPhoto(form));
    },
    onRefused({ code, error }) {
      noteRefusedShape(queryClient, code);
      if (error && isPhotoGone(code)) change((current) => ({ ...current, photo: null }));
    },
    onPhoto: keepPhoto,
    onSource: changeArticle,
  });
  const { followed, later } = control;
  // The page must show what it starts: while another photo is queued, the previous one is hidden.
  const photo = later.hasWaitingPhoto ? null : draft.photo;
  // A video that a link has opened may be of another photo and other settings than the form.
  const shownForm = shown?.generation ? fromVideoSettings(shown.generation.settings) : wanted;
  const shownPhoto = shown?.isNew ? (shown.generation?.photos[0] ?? draft.photo) : null;
  const made = followed?.subject ?? null;
  const waitForPhoto = (keptForm: VideoForm) => {
    leaveShown();
    later.withdraw();
    clearPhoto(keptForm);
  };
  const order = (of: VideoDraft & { form: VideoForm }) =>
    of.photo ? control.order({ photo: of.photo, form: of.form }) : showPhotoMissing();

  return {
    control,
    isRestored: isRead && control.isRestored,
    draft: { photo, form },
    changeForm: (part) => {
      // The consent was for another video.
      later.withdraw();
      change((current) => ({ ...current, form: { ...(current.form ?? wanted), ...part } }));
    },
    replacement,
    changePhoto: (chosen) => {
      later.withdraw();
      keepPhoto(chosen);
    },
    changeArticle,
    attach: () => {
      if (made && !draft.photo) restore(() => made);
      setShown(null);
      control.attach();
    },
    isFormMade: control.isRunning && made !== null && isMadeOf(made, photo, form),
    isAgain: shown?.isNew === true && photo?.id === shownPhoto?.id,
    shown,
    show: setShown,
    arrivals,
    showGeneration: (id) =>
      void findVideo(queryClient, id).then((video) => (video ? setShown(showFromHistory(video)) : control.show(id))),
    start: () => order({ photo, form }),
    // The form may have another photo by now.
    restart: () => order(made?.photo && made.photo.id !== photo?.id ? made : { photo, form }),
    startLater: () => control.startLater(form, photo),
    retrieve: () => void (followed && retrieveVideo(queryClient, followed, (found) => takeResult(found, true))),
    nextPhoto: () => (isOtherPhoto(draft.photo, shownPhoto ?? made?.photo) ? leaveShown() : waitForPhoto(shownForm)),
    otherSettings:
      shownPhoto &&
      (() => {
        keepPhoto(shownPhoto);
        change((current) => ({ ...current, form: shownForm }));
      }),
    makeLike: ({ settings }) => waitForPhoto(fromVideoSettings(settings)),
  };
}

/** What is chosen, or else the account's last settings, and what is offered in place of a choice that is not. */
function useVideoDraft(userId: number) {
  const record = useStoredDraft(userId, VIDEO_DRAFT);
  const last = useLastSettings('video');
  const wanted = record.draft.form ?? (last ? fromVideoSettings(last) : DEFAULT_VIDEO_FORM);
  const changeArticle = (changed: UploadedPhoto) =>
    record.change((current) => ({ ...current, photo: withArticle(current.photo, changed) }));
  const clearPhoto = (keptForm: VideoForm) => {
    record.restore(() => ({ photo: null, form: keptForm }));
    record.forget();
  };
  return { ...record, wanted, changeArticle, clearPhoto, ...fitForm(wanted, useVideoOffer()) };
}

/** Whether the running video may be made of this photo and choice. While its photo is unknown, it may. */
function isMadeOf(made: VideoSubject, photo: UploadedPhoto | null, form: VideoForm): boolean {
  if (made.photo === null) return true;
  const { preset, duration, aspectRatio } = made.form;
  const isSameForm = form.preset === preset && form.duration === duration && form.aspectRatio === aspectRatio;
  return made.photo.id === photo?.id && isSameForm;
}

function showPhotoMissing(): void {
  toast({ title: VIDEO_TEXTS.photoMissing, description: VIDEO_TEXTS.photoMissingHint, tone: 'danger' });
}

/** The engine may be another one since the page was opened. */
function noteRefusedShape(queryClient: QueryClient, code: string | null): void {
  if (code !== 'video_length_unavailable' && code !== 'aspect_ratio_unavailable') return;
  void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.tools });
}

/** The video on the stage, and how often one was shown because it had just been made. `chosen`: the photo of the form. */
function useStageVideo(chosen: UploadedPhoto | null) {
  const queryClient = useQueryClient();
  const [shown, setShown] = useState<ShownVideo | null>(null);
  const [arrivals, setArrivals] = useState(0);
  const isWatching = useRef(false);
  isWatching.current = shown !== null;
  const reveal = (video: ShownVideo) => {
    setShown(video);
    setArrivals((count) => count + 1);
  };
  const present = (finished: FollowedVideo, isLate: boolean) => {
    const result = showResult(finished);
    // The page does not scroll away from a form that is being filled.
    const isPreparing = !isLate && chosen?.id !== finished.subject.photo?.id;
    const action =
      isWatching.current || isPreparing ? { label: 'Смотреть', onSelect: () => reveal(result) } : undefined;
    if (!isWatching.current) (isPreparing ? setShown : reveal)(result);
    if (!isLate) toast({ title: VIDEO_TEXTS.completed, tone: 'success', action });
    // Runs even after the page is left, so that the list is fresh on return.
    setTimeout(() => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.videos }), LIST_REFRESH_DELAY_MS);
  };
  return { shown, setShown, arrivals, present };
}

async function findVideo(queryClient: QueryClient, id: string): Promise<PlayableVideo | null> {
  const videos = await queryClient.fetchQuery({ ...videosQuery, staleTime: 0 }).catch(() => []);
  return videos.find(({ videoId }) => videoId === id) ?? null;
}

function countStarted({ photo, form }: StartRequest<VideoForm>): void {
  logUserAction('generate_video');
  trackEvent('video_generation_start', {
    animation_type: form.preset,
    duration: form.duration,
    file_id: photo.id,
  });
}

function countCompleted({ generationId, subject: { form }, startedAt }: FollowedVideo): void {
  trackEvent('video_generation_complete', {
    video_id: generationId,
    generation_id: generationId,
    animation_type: form.preset,
    duration: form.duration,
    generation_time_seconds: Math.round((Date.now() - startedAt) / 1000),
  });
}

/** Asks once more for a finished video whose file is missing, and announces the result. */
async function retrieveVideo(
  queryClient: QueryClient,
  finished: FollowedVideo,
  present: (found: FollowedVideo) => void,
): Promise<void> {
  const question = { ...generationQuery(finished.generationId), staleTime: 0 };
  const known = await queryClient.fetchQuery(question).catch(() => null);
  // The page was left meanwhile.
  if (!known) return;
  const { view, failures } = known;
  const failure = failures.at(-1);
  if (failure) {
    const title = failure.message === null ? GENERIC_ERROR_TITLE : VIDEO_TEXTS.retrieveFailed;
    toast({ title, description: failure.message ?? VIDEO_TEXTS.retrieveFailedHint, tone: 'danger' });
  } else if (view?.kind === 'video' && view.results.length > 0) {
    present({ ...finished, view });
  } else {
    toast({ title: VIDEO_TEXTS.notReady, description: VIDEO_TEXTS.notReadyHint });
  }
}
