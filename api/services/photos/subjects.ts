import { buffer } from 'node:stream/consumers';
import { withTimeout } from '#api/platform/with-timeout.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { openFile } from '#api/services/core/stored-file.ts';
import type { Photo } from '#prisma/generated/client.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';
import { findSourceFiles } from './photo-files.ts';

const PATIENCE_MS = 4_000;

/**
 * What a photo shows. Detected once per process and cached. Never rejects: `unknown` when the engine cannot tell, fails
 * or takes too long.
 */
export async function findPhotoSubject(app: AppContext, photo: Photo): Promise<SubjectKind> {
  const { engines, state } = app;
  const seeing = engines.all.find(({ detectSubject }) => detectSubject);
  const look = seeing?.detectSubject?.bind(seeing);
  if (!look) return 'unknown';
  const detect = () =>
    inTime(async (signal) => {
      const { preview } = await findSourceFiles(app.db, photo);
      return look(await buffer(await openFile(app, preview)), signal);
    });
  return state.caches.photoSubjects.get(photo.id, () =>
    state.semaphores.subjectDetection.run(detect).catch((error: unknown) => {
      // Not retried: it only affects the order of a list.
      app.log.warn({ err: error, photoId: photo.id }, 'what a photo shows stays unknown');
      return 'unknown' as const;
    }),
  );
}

function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return withTimeout(work(AbortSignal.timeout(PATIENCE_MS)), PATIENCE_MS);
}
