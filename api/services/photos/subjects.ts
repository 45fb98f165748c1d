import { buffer } from 'node:stream/consumers';
import type { AppContext } from '#api/services/app-context.ts';
import type { Photo } from '#prisma/generated/client.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';

/** A detection that takes longer is given up. */
const PATIENCE_MS = 4_000;

/**
 * What a photo shows, found once while the process runs. Never rejects: `unknown` where the engine does not look at photos,
 * fails or takes too long.
 */
export async function findPhotoSubject(app: AppContext, photo: Photo): Promise<SubjectKind> {
  const { engine, state } = app;
  const look = engine.lookAtPhoto?.bind(engine);
  if (!look) return 'unknown';
  return state.caches.photoSubjects.get(photo.id, () =>
    state.semaphores.subjectDetection
      .run(() => inTime(async (signal) => look(await buffer(await app.storage.open(photo.previewKey)), signal)))
      .catch((error: unknown) => {
        // Not retried: it only affects the order of a list.
        app.log.warn({ err: error, photoId: photo.id }, 'what a photo shows stays unknown');
        return 'unknown' as const;
      }),
  );
}

/** Rejects when the work is not done in time, even if it ignores the signal. */
function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work(signal), late]);
}
