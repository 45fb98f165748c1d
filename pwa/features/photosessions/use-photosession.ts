import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '#pwa/components/toast.ts';
import { isLost } from '#pwa/features/generations/status-query.ts';
import { useCancelGeneration } from '#pwa/features/generations/use-cancel-generation.ts';
import { type StartLater, useStartLater } from '#pwa/features/generations/use-start-later.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { hasConnection } from '#pwa/lib/connection.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { ignoreFailure } from '#pwa/lib/storage.ts';
import { useOnline } from '#pwa/lib/use-online.ts';
import { listPhotosessions } from '#shared/contract/photosessions.ts';
import type { UploadedPhoto } from '#shared/contract/uploads.ts';
import { listActiveGenerations } from '#shared/contract/videos.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { isRestorable, type PhotosessionStatus, photosessionStatusQuery } from './photosession-status.ts';
import { PHOTOSESSION_TEXTS } from './photosession-texts.ts';
import {
  forgetChosenPhoto,
  forgetPhotosession,
  readChosenPhoto,
  readSavedPhotosession,
  type SavedPhotosession,
  saveChosenPhoto,
  savePhotosession,
} from './saved-photosession.ts';
import { usePhotosessionOutcome } from './use-photosession-outcome.ts';
import { useStartPhotosession } from './use-start-photosession.ts';

export interface Photosession {
  /** False until the device's record has been read. */
  isRestored: boolean;
  photo: UploadedPhoto | null;
  choosePhoto: (photo: UploadedPhoto) => void;
  /** The session that is followed, running or ended; null while nothing was started. */
  followed: SavedPhotosession | null;
  /** Shows a session by its id, running or ended. */
  show: (id: string) => void;
  /** The server's last word about it. */
  status: PhotosessionStatus | null;
  /** The last question had no answer; the session runs on. */
  isUnreachable: boolean;
  checkAgain: () => void;
  isChecking: boolean;
  start: () => void;
  isStarting: boolean;
  later: StartLater;
  /** Agrees to a start when there is a connection. */
  startLater: () => void;
  cancel: () => void;
  isCancelling: boolean;
  /** After a failure: back to the photo. */
  leave: () => void;
  /** «Создать новую»: nothing chosen. */
  reset: () => void;
}

/** All that the photoshoot page does, apart from how it looks. */
export function usePhotosession(userId: number, onBuyStars: () => void): Photosession {
  const queryClient = useQueryClient();
  const isOnline = useOnline();
  const [photo, setPhoto] = useState<UploadedPhoto | null>(null);
  const [followed, setFollowed] = useState<SavedPhotosession | null>(null);
  const [isRestored, setIsRestored] = useState(false);
  const followedId = useRef<string | null>(null);
  followedId.current = followed?.id ?? null;
  const polling = useQuery({
    ...photosessionStatusQuery(followed?.id ?? ''),
    enabled: followed !== null && isOnline,
  });
  const status = followed ? (polling.data ?? null) : null;

  const follow = useCallback(
    (session: SavedPhotosession) => {
      setFollowed(session);
      if (session.photo) setPhoto(session.photo);
      ignoreFailure(savePhotosession(userId, session));
    },
    [userId],
  );
  const leave = useCallback(() => {
    setFollowed(null);
    ignoreFailure(forgetPhotosession(userId));
    void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
  }, [userId, queryClient]);
  usePhotosessionOutcome({ userId, status, onCancelled: leave });

  const isRunning = followed !== null && (status === null || status.status === 'processing');
  const hasProblem = isRunning && polling.isError;
  const isGone = hasProblem && isLost(polling.error);
  useEffect(() => {
    if (!hasProblem || !hasConnection()) return;
    toast({ title: PHOTOSESSION_TEXTS.pollFailed, description: PHOTOSESSION_TEXTS.pollFailedHint, tone: 'danger' });
    if (isGone) leave();
  }, [hasProblem, isGone, leave]);

  const findRunning = useCallback(async (): Promise<SavedPhotosession | null> => {
    const answer = await callApi(listPhotosessions, { query: { limit: 1 } }).catch(() => null);
    const newest = answer?.sessions[0];
    if (!newest || !isRestorable(newest, Date.now())) return null;
    const running = await callApi(listActiveGenerations).catch(() => null);
    const photo = running?.activeGenerations.find(({ generationId }) => generationId === newest.id)?.photo ?? null;
    return { ...newest, photo };
  }, []);

  useEffect(() => {
    let isCurrent = true;
    const restore = async () => {
      const [saved, chosen] = await Promise.all([
        readSavedPhotosession(userId, Date.now()),
        readChosenPhoto(userId),
      ]).catch(() => []);
      if (!isCurrent) return;
      if (chosen) setPhoto(chosen);
      setIsRestored(true);
      const session = saved ?? (await findRunning());
      // The person may have started one while the server was asked.
      if (!isCurrent || !session || followedId.current !== null) return;
      follow(session);
      toast({ title: PHOTOSESSION_TEXTS.resumed, description: PHOTOSESSION_TEXTS.resumedHint });
    };
    void restore();
    return () => {
      isCurrent = false;
    };
  }, [userId, follow, findRunning]);

  const begin = (id: string, source: UploadedPhoto | null) =>
    follow({ id, status: 'processing', title: '', createdAt: new Date().toISOString(), photo: source });
  const followRunning = async (id: string | null) => {
    const running = await findRunning();
    if (running) follow(running);
    else if (id) begin(id, null);
  };
  const keepPhoto = (chosen: UploadedPhoto) => {
    setPhoto(chosen);
    ignoreFailure(saveChosenPhoto(userId, chosen));
    if (!isRunning) setFollowed(null);
  };
  const starting = useStartPhotosession({
    onStarted: ({ sessionId }, source) => {
      begin(sessionId, source);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
    onAlreadyActive: followRunning,
    onNotEnoughStars: onBuyStars,
    onRefused: ({ code }) => {
      if (code === 'photo_not_found' || code === 'photo_forbidden') {
        setPhoto(null);
        ignoreFailure(forgetChosenPhoto(userId));
      }
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
  });
  const later = useStartLater(userId, 'photosession', {
    onStarted: (id) => {
      void followRunning(id);
      void queryClient.invalidateQueries({ queryKey: QUERY_KEYS.starBalance });
    },
    onPhoto: keepPhoto,
    failedTitle: PHOTOSESSION_TEXTS.failed,
  });
  // What is started must be what is shown: while another photo waits it is not the one before.
  const shownPhoto = later.hasWaitingPhoto ? null : photo;
  const checkAgain = () => void polling.refetch();
  const cancelling = useCancelGeneration({ onCancelled: leave, onFinished: checkAgain });

  return {
    isRestored,
    photo: shownPhoto,
    choosePhoto: (chosen) => {
      later.withdraw();
      keepPhoto(chosen);
    },
    followed,
    show: (id) => begin(id, null),
    status,
    isUnreachable: hasProblem,
    checkAgain,
    isChecking: polling.isFetching,
    start: () => {
      if (shownPhoto && !starting.isPending) starting.mutate(shownPhoto);
    },
    isStarting: starting.isPending,
    later,
    startLater: () =>
      later.agree({ slot: 'photosession', price: PHOTOSESSION_PRICE, agreedAt: Date.now() }, shownPhoto),
    cancel: () => {
      if (followed) cancelling.mutate(followed.id);
    },
    isCancelling: cancelling.isPending,
    leave,
    reset: () => {
      leave();
      later.withdraw();
      setPhoto(null);
      ignoreFailure(forgetChosenPhoto(userId));
    },
  };
}
