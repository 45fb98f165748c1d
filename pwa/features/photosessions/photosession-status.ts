import type { z } from 'zod';
import { statusQuery } from '#pwa/features/generations/status-query.ts';
import { callApi } from '#pwa/lib/api-client.ts';
import { QUERY_KEYS } from '#pwa/lib/query-keys.ts';
import { getPhotosessionStatus, type listPhotosessions } from '#shared/contract/photosessions.ts';
import { PHOTOSESSION_POLL_MS, PHOTOSESSION_RESTORE_MS } from '#shared/rules/generation-lifecycle.ts';
import { PHOTOSESSION_FRAMES } from '#shared/rules/prices.ts';

export type PhotosessionStatus = z.infer<(typeof getPhotosessionStatus)['answer']>;
export type PhotosessionFrame = PhotosessionStatus['images'][number];
export type PhotosessionHead = z.infer<(typeof listPhotosessions)['answer']>['sessions'][number];

/** The state of one session, asked every 5 seconds. */
export function photosessionStatusQuery(sessionId: string) {
  return statusQuery({
    queryKey: [...QUERY_KEYS.photosession, sessionId],
    ask: (signal) => callApi(getPhotosessionStatus, { params: { id: sessionId } }, { signal }),
    isRunning: ({ status }) => status === 'processing',
    pauseMs: PHOTOSESSION_POLL_MS,
  });
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
