import { type RefObject, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { callApi } from '#pwa/client/api-client.ts';
import { type ApiError, isFileLost, isRefusedFor } from '#pwa/client/api-error.ts';
import { askForError } from '#pwa/client/ask-for-error.ts';
import { pageLocation, trackEvent } from '#pwa/features/consent/tag-manager.ts';
import { analyzeVideo, prepareVideo } from '#shared/contract/videos.ts';
import {
  advancePlayback,
  diagnose,
  INITIAL_PLAYBACK,
  LOAD_TIMEOUT_MS,
  type PlaybackFault,
  type PlaybackState,
  playbackSource,
  readMediaError,
} from './playback.ts';
import { usePreparation } from './use-preparation.ts';

export interface Playback {
  state: PlaybackState;
  /** The current address for the media element. */
  source: string;
  onLoaded: () => void;
  onError: () => void;
  /** Whether the playback has stopped to buffer. */
  onWaiting: (isWaiting: boolean) => void;
  retry: () => void;
}

export interface PlaybackOptions {
  videoId: string;
  url: string;
  media: RefObject<HTMLVideoElement | null>;
  /** The server says that the file is lost. */
  onLost: () => void;
}

/**
 * Loads a video with retries, and finds the cause when it does not load or stops. A reloaded video continues where it
 * stopped.
 */
export function usePlayback({ videoId, url, media, onLost }: PlaybackOptions): Playback {
  const [state, dispatch] = useReducer(advancePlayback, INITIAL_PLAYBACK);
  const { phase, retries, attempt } = state;
  const [isWaiting, setIsWaiting] = useState(false);
  const isAnalyzed = useRef(false);
  /** The server has given up making the file. A retry has it made again. */
  const hasCopyFailed = useRef(false);
  /** Seconds from the beginning. */
  const stoppedAt = useRef(0);
  const source = playbackSource(url, retries);

  const explain = (fault: PlaybackFault, error: ApiError | null) => {
    const event = diagnose(attempt, fault, error);
    dispatch(event);
    if (event.type === 'preparing') return;
    hasCopyFailed.current = isRefusedFor(error, 'video_copy_failed');
    if (isFileLost(error)) onLost();
    reportFault(event.type === 'faulted' ? event : { fault: 'network', refusal: null });
  };
  const fail = async (fault: PlaybackFault) => {
    if (phase === 'ready') stoppedAt.current = media.current?.currentTime ?? 0;
    explain(fault, await askForError(url));
  };
  const retry = async () => {
    // If this call fails, the next try says why.
    if (hasCopyFailed.current) await callApi(prepareVideo, { params: { id: videoId } }).catch(() => null);
    dispatch({ type: 'retry_requested' });
  };
  usePreparation({
    isPreparing: phase === 'preparing',
    videoId,
    url,
    attempt,
    onAnswer: (error) => (error ? explain('network', error) : dispatch({ type: 'prepared' })),
  });
  const failIfStill = useEffectEvent((overdueAttempt: number) => {
    if (overdueAttempt === attempt) void fail('loadTimeout');
  });

  useEffect(() => {
    if (phase !== 'loading') return;
    media.current?.load();
    const timer = setTimeout(() => failIfStill(attempt), LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [media, phase, attempt]);
  useEffect(() => {
    if (phase !== 'ready' || !isWaiting) return;
    const timer = setTimeout(() => failIfStill(attempt), LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [phase, isWaiting, attempt]);

  return {
    state,
    source,
    onLoaded: () => {
      if (media.current && stoppedAt.current > 0) media.current.currentTime = stoppedAt.current;
      setIsWaiting(false);
      dispatch({ type: 'loaded' });
    },
    onError: () => {
      const fault = readMediaError(media.current?.error?.code);
      if (fault === 'decode' && !isAnalyzed.current) {
        isAnalyzed.current = true;
        void reportUnreadable(videoId);
      }
      void fail(fault);
    },
    onWaiting: setIsWaiting,
    retry: () => void retry(),
  };
}

/** Reports a file that cannot be played, with the server's analysis of it. The player retries regardless. */
async function reportUnreadable(videoId: string): Promise<void> {
  const analysis = await callApi(analyzeVideo, { params: { id: videoId } }).catch(() => null);
  if (!analysis) return;
  const { codec, pixelFormat, width, height } = analysis;
  trackEvent('error_occurred', {
    error_type: 'video_decode',
    error_message: `${codec} ${pixelFormat} ${width}x${height}`,
    page_location: pageLocation(),
  });
}

function reportFault({ fault, refusal }: { fault: PlaybackFault; refusal: string | null }): void {
  trackEvent('error_occurred', {
    error_type: 'video_playback',
    error_message: refusal ?? fault,
    page_location: pageLocation(),
  });
}
