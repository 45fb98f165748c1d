import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { ApiError } from '#pwa/client/api-error.ts';
import { askForError } from '#pwa/client/ask-for-error.ts';
import { QUERY_KEYS } from '#pwa/client/query-keys.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 10_000;

export interface Preparation {
  isPreparing: boolean;
  videoId: string;
  url: string;
  /** The try of the player that found that the file is being made. */
  attempt: number;
  /** Null: the file is there. Otherwise why the server will not give it. */
  onAnswer: (error: ApiError | null) => void;
}

/**
 * Waits for a file that the server is making. Asks with growing pauses, and at once when the server reports a change of
 * the generation. Without a network it goes on asking.
 */
export function usePreparation({ isPreparing, videoId, url, attempt, onAnswer }: Preparation): void {
  const answer = useEffectEvent(onAnswer);
  const { data } = useQuery<ApiError | 'preparing' | null>({
    queryKey: [...QUERY_KEYS.videoFile, videoId, attempt],
    async queryFn() {
      const error = await askForError(url);
      return error?.status === 0 || error?.code === 'video_preparing' ? 'preparing' : error;
    },
    initialData: 'preparing',
    enabled: isPreparing,
    gcTime: 0,
    refetchInterval: ({ state }) =>
      state.data === 'preparing' && Math.min(FIRST_PAUSE_MS * 1.5 ** state.dataUpdateCount, MAX_PAUSE_MS),
    refetchIntervalInBackground: true,
  });
  useEffect(() => {
    if (isPreparing && data !== 'preparing') answer(data);
  }, [isPreparing, data]);
}
