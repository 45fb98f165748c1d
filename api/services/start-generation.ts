import { createHash } from 'node:crypto';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import type { Generation } from '#prisma/generated/client.ts';
import type { VideoSettings } from '#shared/contract/videos.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { videoPrice } from '#shared/rules/prices.ts';
import { getPremiumStatus } from './payments.ts';
import { findOwnPhoto } from './photos.ts';
import { holdAndInsertGeneration } from './start-generation-statement.ts';

/** Jobs of people who have paid run first. */
const PAID_PRIORITY = 10;

interface VideoRequest {
  accountId: number;
  photoId: string;
  settings: VideoSettings;
  /** Given by the client; the same key with the same request answers the same generation. */
  idempotencyKey: string | null;
}

/**
 * Holds the stars, writes the generation and sends its job, all or nothing. Throws AppError photo_not_found,
 * not_enough_stars, active_generation (with the id of the running one) or idempotency_key_reused.
 */
export async function startVideo(app: AppContext, request: VideoRequest): Promise<{ generationId: string }> {
  const { accountId, settings } = request;
  const photo = await findOwnPhoto(app.db, accountId, request.photoId);
  if (!photo) throw new AppError('photo_not_found');

  const requestHash = hashRequest({ photoId: photo.id, settings });
  const repeated = await findRepeated(app, accountId, 'video', request.idempotencyKey);
  if (repeated) return answerRepeated(repeated, requestHash);

  const { isPremium } = await getPremiumStatus(app.db, accountId);
  const outcome = await holdAndInsertGeneration(app, {
    accountId,
    kind: 'video',
    photoId: photo.id,
    settings,
    stars: videoPrice(settings.duration),
    idempotencyKey: request.idempotencyKey,
    requestHash,
    engine: app.engine.name,
    priority: isPremium ? PAID_PRIORITY : 0,
  });
  if (outcome.state === 'inserted') {
    app.log.info({ action: 'generate_video', accountId, generationId: outcome.generationId }, 'generation accepted');
    return { generationId: outcome.generationId };
  }
  // Lost to a rival: the same request sent twice at once, another tab, or the last star spent a moment ago.
  const rival = await findRepeated(app, accountId, 'video', request.idempotencyKey);
  if (rival) return answerRepeated(rival, requestHash);
  const active = await findActive(app, accountId, 'video');
  if (active) throw new AppError('active_generation', { generationId: active.id });
  throw new AppError(outcome.state === 'not_enough_stars' ? 'not_enough_stars' : 'unavailable');
}

function hashRequest(meaning: object): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(JSON.stringify(meaning)).digest());
}

async function findRepeated(
  app: AppContext,
  accountId: number,
  kind: GenerationKind,
  idempotencyKey: string | null,
): Promise<Generation | null> {
  if (idempotencyKey === null) return null;
  return app.db.generation.findUnique({
    where: { accountId_kind_idempotencyKey: { accountId, kind, idempotencyKey } },
  });
}

function answerRepeated(repeated: Generation, requestHash: Uint8Array): { generationId: string } {
  if (Buffer.compare(repeated.requestHash, requestHash) !== 0) throw new AppError('idempotency_key_reused');
  return { generationId: repeated.id };
}

function findActive(app: AppContext, accountId: number, kind: GenerationKind): Promise<{ id: string } | null> {
  return app.db.generation.findFirst({
    where: { accountId, kind, status: { in: [...ACTIVE_STATUSES] } },
    select: { id: true },
  });
}
