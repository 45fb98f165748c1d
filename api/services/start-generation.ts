import { createHash } from 'node:crypto';
import type { AppContext } from '#api/app-context.ts';
import { AppError } from '#api/errors.ts';
import type { Generation, Photo, Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { getPremiumStatus } from './payments.ts';
import { getOwnPhoto, keepReceivedPhoto, type ReceivedPhoto, removePhoto } from './photos.ts';
import { getBalance } from './stars.ts';
import { type HoldOutcome, holdAndInsertGeneration } from './start-generation-statement.ts';

/** Jobs of people who have paid run first. */
const PAID_PRIORITY = 10;

/** A photo that is on the server already, or one that has just come and is kept only when it is needed. */
export type PhotoSource = { imageId: string } | { received: ReceivedPhoto & { sha256: string } };

interface GenerationRequest {
  accountId: number;
  kind: GenerationKind;
  photo: PhotoSource;
  /** What the person chose; the same again is the same request. */
  choice: Prisma.InputJsonObject;
  /** What is known at the start and not chosen; kept with the choice. */
  facts?: Prisma.InputJsonObject;
  /** Price, in stars. */
  stars: number;
  /** Given by the client; the same key with the same request answers the same generation. */
  idempotencyKey: string | null;
}

/**
 * Holds the stars, writes the generation and sends its job, all or nothing. Throws AppError photo_not_found,
 * not_enough_stars, active_generation (with the id of the running one), idempotency_key_reused, and what
 * keepReceivedPhoto throws.
 */
export async function startGeneration(app: AppContext, request: GenerationRequest): Promise<{ generationId: string }> {
  const { accountId, kind } = request;
  const known = 'imageId' in request.photo ? await getOwnPhoto(app.db, accountId, request.photo.imageId) : null;
  const requestHash = hashRequest(request, known);
  const repeated = await findRepeated(app, request);
  if (repeated) return answerRepeated(repeated, requestHash);

  const photo = known ?? (await keepNewPhoto(app, request));
  const outcome = await hold(app, request, photo, requestHash).catch(async (error: unknown) => {
    if (!known) await removePhoto(app, photo);
    throw error;
  });
  if (outcome.state === 'inserted') {
    const { generationId } = outcome;
    app.log.info({ action: 'generation_accepted', kind, accountId, generationId }, 'generation accepted');
    return { generationId };
  }
  // Lost to a rival: the same request sent twice at once, another tab, or the last star spent a moment ago.
  if (!known) await removePhoto(app, photo);
  const rival = await findRepeated(app, request);
  if (rival) return answerRepeated(rival, requestHash);
  await refuseSecond(app, request);
  throw new AppError(outcome.state === 'not_enough_stars' ? 'not_enough_stars' : 'unavailable');
}

async function hold(
  app: AppContext,
  request: GenerationRequest,
  photo: Photo,
  requestHash: Uint8Array,
): Promise<HoldOutcome> {
  const { accountId, kind, choice, facts, stars, idempotencyKey } = request;
  const { isPremium } = await getPremiumStatus(app.db, accountId);
  return holdAndInsertGeneration(app, {
    accountId,
    kind,
    photoId: photo.id,
    settings: { ...choice, ...facts },
    stars,
    idempotencyKey,
    requestHash,
    engine: app.engine.name,
    priority: isPremium ? PAID_PRIORITY : 0,
  });
}

/** Keeps the photo that came with the request, unless the start would be refused anyway. */
async function keepNewPhoto(app: AppContext, request: GenerationRequest): Promise<Photo> {
  if (!('received' in request.photo)) throw new AppError('photo_missing');
  await refuseSecond(app, request);
  if ((await getBalance(app, request.accountId)) < request.stars) throw new AppError('not_enough_stars');
  return keepReceivedPhoto(app, request.accountId, request.photo.received);
}

function hashRequest({ photo, choice }: GenerationRequest, known: Photo | null): Uint8Array<ArrayBuffer> {
  const meaning = { photo: known?.id ?? ('received' in photo ? photo.received.sha256 : null), choice };
  return new Uint8Array(createHash('sha256').update(JSON.stringify(meaning)).digest());
}

async function findRepeated(
  app: AppContext,
  { accountId, kind, idempotencyKey }: GenerationRequest,
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

/** Throws active_generation while one of the kind runs. */
async function refuseSecond(app: AppContext, { accountId, kind }: GenerationRequest): Promise<void> {
  const active = await app.db.generation.findFirst({
    where: { accountId, kind, status: { in: [...ACTIVE_STATUSES] } },
    select: { id: true },
  });
  if (active) throw new AppError('active_generation', { generationId: active.id });
}
