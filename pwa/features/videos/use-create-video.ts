import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { useCancelGeneration } from '#pwa/features/generations/use-cancel-generation.ts';
import { type StartLater, useStartLater } from '#pwa/features/generations/use-start-later.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError, describeError } from '#pwa/lib/api-error.ts';
import { hasConnection } from '#pwa/lib/connection.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { videoSettings } from '#shared/contract/video-settings.ts';
import { retrieveVideo } from '#shared/contract/videos.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { findActiveVideo, fromActiveGeneration, reconcileWithServer } from './restore-generation.ts';
import { forgetGeneration, fromSavedGeneration, readDraft, readSavedGeneration } from './saved-generation.ts';
import { type ShownVideo, showFromHistory, showResult } from './shown-video.ts';
import { beginTracking, isRunning, type Tracking } from './tracking.ts';
import { useGenerationOutcomes } from './use-generation-outcomes.ts';
import { useGenerationTracker } from './use-generation-tracker.ts';
import { useStartVideo } from './use-start-video.ts';
import { useVideoDraft, type VideoDraftControl } from './use-video-draft.ts';
import { toVideoSettings } from './video-form.ts';
import { activeGenerationsQuery, videosQuery } from './video-queries.ts';
import { GENERIC_ERROR_TITLE, VIDEO_TEXTS } from './video-texts.ts';

export interface CreateVideo {
  draft: Pick<VideoDraftControl, 'photo' | 'form' | 'changeForm'>;
  /** A new photo: what was shown of the one before goes away. */
  changePhoto: (photo: UploadedPhoto) => void;
  /** The generation that is followed, running or ended badly; null when there is none. */
  tracking: Tracking | null;
  /** Whether the overlay of that generation fills the middle; otherwise a strip above offers it. */
  isAttached: boolean;
  attach: () => void;
  shown: ShownVideo | null;
  /** False until the device's record has been read. */
  isRestored: boolean;
  /** Shows a generation by its id: its video, or how far it is. */
  showGeneration: (generationId: string) => void;
  show: (video: ShownVideo) => void;
  /** Counts the results shown because they have just been made: the page scrolls to them. */
  arrivals: number;
  isStarting: boolean;
  start: () => void;
  later: StartLater;
  /** Agrees to a start, of what is chosen now, when there is a connection. */
  startLater: () => void;
  cancel: () => void;
  isCancelling: boolean;
  checkAgain: () => void;
  /** Asks for a finished video whose address has not come. */
  retrieve: () => void;
  /** «Создать новое»: everything back to the defaults. */
  reset: () => void;
}

/** All that the create-video page does, apart from how it looks. */
export function useCreateVideo(userId: number): CreateVideo {
  const queryClient = useQueryClient();
  const draft = useVideoDraft(userId);
  const { tracker, tracking } = useGenerationTracker();
  const [isAttached, setIsAttached] = useState(false);
  const [shown, setShown] = useState<ShownVideo | null>(null);
  const [arrivals, setArrivals] = useState(0);
  const [isRestored, setIsRestored] = useState(false);
  const isWatchingOther = useRef(false);
  isWatchingOther.current = shown !== null;

  const refreshStars = useCallback(
    () => queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance }),
    [queryClient],
  );
  const forget = useCallback(() => {
    tracker.forget();
    ignoreFailure(forgetGeneration(userId));
  }, [tracker, userId]);

  const present = useCallback(
    (finished: Tracking & { videoUrl: string }) => {
      const result = showResult(finished);
      const reveal = () => {
        setShown(result);
        setArrivals((count) => count + 1);
      };
      tracker.forget();
      if (!isWatchingOther.current) reveal();
      const action = isWatchingOther.current ? { label: 'Смотреть', onSelect: reveal } : undefined;
      toast({ title: VIDEO_TEXTS.completed, tone: 'success', action });
    },
    [tracker],
  );
  useGenerationOutcomes({ userId, tracker, onPresent: present, onForget: forget });

  const { restore } = draft;
  useEffect(() => {
    let isCurrent = true;
    const restoreAll = async () => {
      const [saved, savedDraft] = await Promise.all([readSavedGeneration(userId), readDraft(userId)]).catch(() => []);
      if (!isCurrent) return;
      // A generation that the server does not know is not asked about again.
      if (saved?.conversionStep === 'critical_error') ignoreFailure(forgetGeneration(userId));
      else if (saved) {
        const restored = fromSavedGeneration(saved, Date.now());
        restore({ photo: restored.subject.photo ?? savedDraft?.photo ?? null, form: restored.subject.form });
        tracker.follow(restored);
        tracker.setOnline(hasConnection());
        setIsAttached(true);
      }
      if (!tracker.get() && savedDraft) restore(savedDraft);
      setIsRestored(true);
    };
    void restoreAll();
    return () => {
      isCurrent = false;
    };
  }, [userId, tracker, restore]);

  const running = useQuery(activeGenerationsQuery);
  const openedAt = useRef(Date.now());
  const followedIds = useRef(new Set<string>());
  useEffect(() => tracker.subscribe((next) => next && followedIds.current.add(next.generationId)), [tracker]);
  // At the start, when there is a connection again, and when the server says that something has changed.
  useEffect(() => {
    // What the device has kept of an earlier visit is no answer.
    if (!isRestored || !running.data || running.dataUpdatedAt < openedAt.current) return;
    const active = findActiveVideo(running.data.activeGenerations);
    // Asked before its end, told after it: the page is done with that one.
    if (active && followedIds.current.has(active.generationId)) return;
    const found = reconcileWithServer(tracker.get(), active, Date.now());
    if (!found) return;
    tracker.follow(found);
    setIsAttached(false);
  }, [isRestored, running.data, running.dataUpdatedAt, tracker]);

  const followRunning = async (generationId: string | null) => {
    const answer = await queryClient.fetchQuery(activeGenerationsQuery).catch(() => null);
    const active = findActiveVideo(answer?.activeGenerations ?? []);
    const now = Date.now();
    if (active) tracker.follow(fromActiveGeneration(active, now));
    else if (generationId) {
      const subject = { photo: null, thumbnailUrl: null, form: draft.form };
      tracker.follow(beginTracking({ generationId, subject, startedAt: now }, now));
    } else return;
    setIsAttached(true);
    setShown(null);
  };

  const starting = useStartVideo({
    onStarted: ({ generationId }, { photo, form }) => {
      const subject = { photo, thumbnailUrl: photo.thumbnailUrl, form };
      tracker.follow(beginTracking({ generationId, subject, startedAt: Date.now() }, Date.now()));
      setIsAttached(true);
      setShown(null);
      void refreshStars();
    },
    onAlreadyActive: followRunning,
    onRefused: () => void refreshStars(),
  });

  const cancelling = useCancelGeneration({
    onCancelled: () => {
      forget();
      void refreshStars();
    },
    onFinished: tracker.checkAgain,
  });

  const keepPhoto = (chosen: UploadedPhoto) => {
    if (tracking && !isRunning(tracking)) forget();
    setShown(null);
    draft.setPhoto(chosen);
  };
  const later = useStartLater(userId, 'video', {
    onStarted: (generationId) => {
      void followRunning(generationId);
      void refreshStars();
    },
    onPhoto: keepPhoto,
    failedTitle: VIDEO_TEXTS.startFailed,
  });
  // What is started must be what is shown: while another photo waits it is not the one before.
  const photo = later.hasWaitingPhoto ? null : draft.photo;
  const startLater = () => {
    const settings = videoSettings.partial().parse(toVideoSettings(draft.form));
    const start = { slot: 'video' as const, settings, price: videoPrice(draft.form.duration), agreedAt: Date.now() };
    later.agree(start, photo);
  };

  const retrieve = async () => {
    if (!tracking) return;
    try {
      const { generationId } = tracking;
      const answer = await callApi(retrieveVideo, { query: { generationId } });
      if (answer.videoUrl) return present({ ...tracking, videoId: answer.videoId, videoUrl: answer.videoUrl });
      if (answer.status === 'failed') {
        return toast({
          title: VIDEO_TEXTS.retrieveFailed,
          description: answer.error ?? answer.message,
          tone: 'danger',
        });
      }
      toast({ title: VIDEO_TEXTS.notReady, description: VIDEO_TEXTS.notReadyHint });
    } catch (error) {
      const wasAnswered = error instanceof ApiError && error.serverMessage !== null;
      toast({
        title: wasAnswered ? VIDEO_TEXTS.retrieveFailed : GENERIC_ERROR_TITLE,
        description: wasAnswered
          ? describeError(error, VIDEO_TEXTS.retrieveFailedHint)
          : VIDEO_TEXTS.retrieveFailedHint,
        tone: 'danger',
      });
    }
  };

  const showGeneration = async (generationId: string) => {
    // What is followed shows its end by itself.
    if (tracker.get()?.generationId === generationId) return setIsAttached(true);
    const videos = await queryClient.fetchQuery({ ...videosQuery, staleTime: 0 }).catch(() => []);
    const video = videos.find(({ videoId }) => videoId === generationId);
    if (video) return setShown(showFromHistory(video));
    const subject = { photo: null, thumbnailUrl: null, form: draft.form };
    tracker.follow(beginTracking({ generationId, subject, startedAt: Date.now() }, Date.now()));
    setIsAttached(true);
  };

  return {
    draft: {
      ...draft,
      photo,
      changeForm: (form) => {
        // What was agreed to was another video.
        later.withdraw();
        draft.changeForm(form);
      },
    },
    changePhoto: (chosen) => {
      later.withdraw();
      keepPhoto(chosen);
    },
    tracking,
    isAttached,
    attach: () => {
      if (!tracking) return;
      if (!draft.photo) draft.restore({ photo: tracking.subject.photo, form: tracking.subject.form });
      setShown(null);
      setIsAttached(true);
    },
    shown,
    isRestored,
    showGeneration: (generationId) => void showGeneration(generationId),
    show: setShown,
    arrivals,
    isStarting: starting.isPending,
    later,
    startLater,
    start: () => {
      if (!photo) {
        toast({ title: VIDEO_TEXTS.photoMissing, description: VIDEO_TEXTS.photoMissingHint, tone: 'danger' });
        return;
      }
      if (!starting.isPending) starting.mutate({ photo, form: draft.form });
    },
    cancel: () => {
      if (tracking) cancelling.mutate(tracking.generationId);
    },
    isCancelling: cancelling.isPending,
    checkAgain: tracker.checkAgain,
    retrieve,
    reset: () => {
      if (!tracking || !isRunning(tracking)) forget();
      setShown(null);
      setIsAttached(false);
      later.withdraw();
      draft.reset();
    },
  };
}
