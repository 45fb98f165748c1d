import { AppError } from '#api/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { getStarsSpent } from '#api/services/stars/ledger.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { PHOTOSESSION_STATUSES } from '#shared/contract/photosessions.ts';
import { isFinal } from '#shared/rules/generation-lifecycle.ts';
import { PHOTOSESSION_PRICE } from '#shared/rules/prices.ts';
import { getOwnGeneration } from './find-generation.ts';
import { describeFailure, getProgress } from './progress.ts';
import { type PhotoSource, startGeneration } from './start-generation.ts';

interface PhotosessionRequest {
  accountId: number;
  /** Null when the form brought none. */
  photo: PhotoSource | null;
  /** In stars; another is not paid. */
  agreedPrice?: number | null;
  idempotencyKey: string | null;
}

/** Starts a session of five frames. Throws photo_missing, and what startGeneration does. */
export async function startPhotosession(
  app: AppContext,
  { accountId, photo, agreedPrice, idempotencyKey }: PhotosessionRequest,
): Promise<{ generationId: string }> {
  if (!photo) throw new AppError('photo_missing');
  return startGeneration(app, {
    accountId,
    kind: 'photosession',
    photo,
    choice: {},
    stars: PHOTOSESSION_PRICE,
    agreedPrice,
    idempotencyKey,
  });
}

/** A session of this account with the frames that are ready. Throws generation_not_found, generation_forbidden. */
export async function getPhotosessionState(app: AppContext, accountId: number, sessionId: string) {
  const generation = await getOwnGeneration(app.db, { accountId, kind: 'photosession', id: sessionId });
  const { isPremium } = await getPremiumStatus(app, accountId);
  return {
    ...presentHead(generation),
    images: generation.results.map(({ id, position, width, height }) => {
      const address = `/media/results/${generation.id}/${position}`;
      return {
        id,
        url: `${address}/image`,
        previewUrl: `${address}/poster`,
        isWatermarked: !isPremium,
        position,
        width,
        height,
      };
    }),
    error: describeFailure(generation),
    code: generation.failureCode,
    starsSpent: await getStarsSpent(app, generation.id),
    progress: getProgress(generation),
  };
}

/** Sessions of this account, newest first. */
export async function listPhotosessions(app: AppContext, accountId: number, limit: number) {
  const generations = await app.db.generation.findMany({
    where: { accountId, kind: 'photosession' },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  return generations.map(presentHead);
}

function presentHead(generation: Generation) {
  return {
    id: generation.id,
    status: presentStatus(generation),
    title: 'Фотосессия',
    createdAt: generation.createdAt.toISOString(),
  };
}

function presentStatus({ status }: Generation): (typeof PHOTOSESSION_STATUSES)[number] {
  if (!isFinal(status)) return 'processing';
  return status === 'completed' ? 'completed' : 'failed';
}
