import { useEffect, useEffectEvent } from 'react';
import type { ApiError } from '#pwa/lib/api-error.ts';
import { askForError } from '#pwa/lib/ask-for-error.ts';
import { onNudge } from '#pwa/lib/nudges.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

export interface Preparation {
  isPreparing: boolean;
  videoId: string;
  url: string;
  /** Null: the file is there. Otherwise why the server will not give it. */
  onAnswer: (error: ApiError | null) => void;
}

/**
 * Waits for a file that the server is making. Asks with growing pauses, and at once when a nudge says that something of
 * the generation has changed. Without a network it goes on asking.
 */
export function usePreparation({ isPreparing, videoId, url, onAnswer }: Preparation): void {
  const answer = useEffectEvent(onAnswer);
  useEffect(() => {
    if (!isPreparing) return;
    let pauseMs = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isAsking = false;
    let isOver = false;
    const ask = async () => {
      clearTimeout(timer);
      isAsking = true;
      const error = await askForError(url);
      isAsking = false;
      if (isOver) return;
      if (error?.status !== 0 && error?.code !== 'video_preparing') return answer(error);
      timer = setTimeout(() => void ask(), pauseMs);
      pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS);
    };
    timer = setTimeout(() => void ask(), pauseMs);
    const unsubscribe = onNudge(({ event, id }) => {
      if (event !== 'gap' && id !== videoId) return;
      pauseMs = FIRST_PAUSE_MS;
      if (!isAsking) void ask();
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [isPreparing, videoId, url]);
}
