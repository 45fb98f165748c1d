import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getViewOfKind, type Viewer } from '#api/services/generations/results/view.ts';
import type { GenerationView } from '#shared/contract/generations.ts';
import type { PHOTOSESSION_STATUSES } from '#shared/contract/photosessions.ts';
import { type GenerationStatus, isFinal } from '#shared/rules/generation-lifecycle.ts';
import { TOOLS } from '#shared/rules/tools.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';

interface PhotosessionRequest {
  accountId: number;
  /** Null when the form had none. */
  photo: PhotoSource | null;
  /** In stars. The session is refused at any other price. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/** Starts a session of five frames. Throws photo_missing, and what startGeneration throws. */
export async function startPhotosession(
  app: AppContext,
  { accountId, photo, agreedPrice, idempotencyKey }: PhotosessionRequest,
): Promise<{ generationId: string }> {
  if (!photo) throw new AppError('photo_missing');
  return startGeneration(app, {
    accountId,
    kind: 'photosession',
    photos: { subject: photo },
    choice: {},
    agreedPrice,
    idempotencyKey,
  });
}

/** A session of this account with its finished frames. Throws generation_not_found, generation_forbidden. */
export async function getPhotosessionState(app: AppContext, caller: Viewer, id: string) {
  const view = await getViewOfKind(app, caller, id, 'photosession');
  return {
    ...presentHead(view),
    images: view.results,
    error: view.failure?.message ?? null,
    code: view.failure?.code ?? null,
    starsSpent: view.starsSpent,
    progress: view.progress,
  };
}

/** Sessions of this account, newest first. */
export async function listPhotosessions(app: AppContext, accountId: number, limit: number) {
  const generations = await app.db.generation.findMany({
    where: { accountId, kind: 'photosession' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return generations.map(({ createdAt, ...generation }) =>
    presentHead({ ...generation, createdAt: createdAt.toISOString() }),
  );
}

function presentHead({ id, status, createdAt }: Pick<GenerationView, 'id' | 'status' | 'createdAt'>) {
  return { id, status: presentStatus(status), title: TOOLS.photosession.name, createdAt };
}

function presentStatus(status: GenerationStatus): (typeof PHOTOSESSION_STATUSES)[number] {
  if (!isFinal(status)) return 'processing';
  return status === 'completed' ? 'completed' : 'failed';
}
