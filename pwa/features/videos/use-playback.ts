import { type RefObject, useEffect, useReducer, useRef } from 'react';
import { callApi } from '#pwa/lib/api-client.ts';
import { pageLocation, trackEvent } from '#pwa/lib/tag-manager.ts';
import { analyzeVideo } from '#shared/contract/videos.ts';
import {
  advancePlayback,
  describeRefusal,
  INITIAL_PLAYBACK,
  LOAD_TIMEOUT_MS,
  type PlaybackFault,
  type PlaybackState,
  playbackSource,
  readMediaError,
} from './playback.ts';

export interface Playback {
  state: PlaybackState;
  /** The address for the media element now. */
  source: string;
  onLoaded: () => void;
  onError: () => void;
  retry: () => void;
}

/** Loads a video with the page's retries, and finds out why when it does not come. */
export function usePlayback(videoId: string, url: string, media: RefObject<HTMLVideoElement | null>): Playback {
  const [state, dispatch] = useReducer(advancePlayback, INITIAL_PLAYBACK);
  const { phase, retries, attempt } = state;
  const isAnalyzed = useRef(false);
  const source = playbackSource(url, retries);

  useEffect(() => {
    if (phase !== 'loading') return;
    media.current?.load();
    const timer = setTimeout(() => {
      dispatch({ type: 'faulted', attempt, fault: 'loadTimeout', refusal: null });
    }, LOAD_TIMEOUT_MS);
    return () => clearTimeout(timer);
  }, [media, phase, attempt]);

  const onError = async () => {
    const fault = readMediaError(media.current?.error?.code);
    if (fault === 'decode' && !isAnalyzed.current) {
      isAnalyzed.current = true;
      void reportUnreadable(videoId);
    }
    // Browsers call a refused file «unsupported»: the server is asked before the file is blamed.
    const refusal = fault === 'network' || fault === 'unsupported' ? await askRefusal(url) : null;
    dispatch({ type: 'faulted', attempt, fault, refusal });
    reportFault(fault, refusal);
  };

  return {
    state,
    source,
    onLoaded: () => dispatch({ type: 'loaded' }),
    onError,
    retry: () => dispatch({ type: 'retry_requested' }),
  };
}

async function askRefusal(url: string): Promise<string | null> {
  try {
    const { status } = await fetch(url, { method: 'HEAD', credentials: 'same-origin' });
    return describeRefusal(status);
  } catch {
    // No answer at all: the retries go on.
    return null;
  }
}

/** What the server reads from the file goes with the report; the player retries regardless. */
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

function reportFault(fault: PlaybackFault, refusal: string | null): void {
  trackEvent('error_occurred', {
    error_type: 'video_playback',
    error_message: refusal ?? fault,
    page_location: pageLocation(),
  });
}
