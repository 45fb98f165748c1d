import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '#pwa/lib/api-client.ts';
import { ApiError } from '#pwa/lib/api-error.ts';
import { getPhotosessionStatus, type listPhotosessions } from '#shared/contract/photosessions.ts';
import { PHOTOSESSION_POLL_MS, PHOTOSESSION_RESTORE_MS, POLL_INTERVAL_MS } from '#shared/rules/generation-lifecycle.ts';
import { PHOTOSESSION_FRAMES } from '#shared/rules/prices.ts';

export type PhotosessionStatus = z.infer<(typeof getPhotosessionStatus)['answer']>;
export type PhotosessionFrame = PhotosessionStatus['images'][number];
export type PhotosessionHead = z.infer<(typeof listPhotosessions)['answer']>['sessions'][number];

/** A status request that takes longer counts as unanswered, so that a dead connection cannot stop the polling. */
const REQUEST_TIMEOUT_MS = 20_000;

/** The state of one session, asked every 5 seconds until it has ended, in hidden tabs too. */
export function photosessionStatusQuery(sessionId: string) {
  return queryOptions({
    queryKey: ['photosession', sessionId],
    queryFn: ({ signal }) =>
      callApi(
        getPhotosessionStatus,
        { params: { id: sessionId } },
        { signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) },
      ),
    staleTime: 0,
    refetchInterval: ({ state }) => pollPauseMs(state.data ?? null, state.error),
    refetchIntervalInBackground: true,
  });
}

/** Milliseconds until the next question, or false when there is nothing more to ask. */
export function pollPauseMs(data: Pick<PhotosessionStatus, 'status'> | null, error: unknown): number | false {
  if (isLost(error) || (error instanceof ApiError && error.status === 401)) return false;
  // Not every 5 seconds into a server that is down; «Повторить» asks at once.
  if (error) return POLL_INTERVAL_MS;
  return data && data.status !== 'processing' ? false : PHOTOSESSION_POLL_MS;
}

/** Whether the server does not know the session or does not show it to us: asking again changes nothing. */
export function isLost(error: unknown): boolean {
  return error instanceof ApiError && [403, 404, 410].includes(error.status);
}

/** The five places of a session; a frame stands in its own, whatever the order they get ready in. */
export function placeFrames(images: readonly PhotosessionFrame[]): (PhotosessionFrame | null)[] {
  const count = Math.max(PHOTOSESSION_FRAMES, ...images.map(({ position }) => position + 1));
  return Array.from({ length: count }, (_, position) => images.find((image) => image.position === position) ?? null);
}

/** Whether a session that was begun at this moment may still run: the server's watchdog has ended older ones. */
export function isRestorable({ status, createdAt }: Pick<PhotosessionHead, 'status' | 'createdAt'>, now: number) {
  const age = now - Date.parse(createdAt);
  return status === 'processing' && age < PHOTOSESSION_RESTORE_MS;
}
