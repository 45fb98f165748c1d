import { buffer } from 'node:stream/consumers';
import type { AppContext } from '#api/services/app-context.ts';
import type { Photo } from '#prisma/generated/client.ts';
import type { SubjectKind } from '#shared/rules/suiting-backgrounds.ts';

/** A look that takes longer is given up. */
const PATIENCE_MS = 4_000;
const MOST_REMEMBERED = 500;

interface Looking {
  known: Map<string, Promise<SubjectKind>>;
  /** One photo is looked at after the other: no crowd of threads. */
  last: Promise<unknown>;
}
const lookings = new WeakMap<AppContext, Looking>();

/**
 * What a photo shows, found once while the process runs. Never rejects: `unknown` where the engine does not look at photos,
 * fails or takes too long.
 */
export async function findPhotoSubject(app: AppContext, photo: Photo): Promise<SubjectKind> {
  const { engine } = app;
  const look = engine.lookAtPhoto?.bind(engine);
  if (!look) return 'unknown';
  const looking = lookings.get(app) ?? { known: new Map(), last: Promise.resolve() };
  lookings.set(app, looking);
  const known = looking.known.get(photo.id);
  if (known) return known;
  const found = looking.last
    .then(() => inTime(async (signal) => look(await buffer(await app.storage.open(photo.previewKey)), signal)))
    .catch((error: unknown) => {
      // Not tried again: it is only about the order of a list.
      app.log.warn({ err: error, photoId: photo.id }, 'what a photo shows stays unknown');
      return 'unknown' as const;
    });
  looking.last = found;
  looking.known.set(photo.id, found);
  const [oldest] = looking.known.keys();
  if (oldest && looking.known.size > MOST_REMEMBERED) looking.known.delete(oldest);
  return found;
}

/** Rejects when the work is not done in time, whether or not it heeds the signal. */
function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work(signal), late]);
}
