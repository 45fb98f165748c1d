import { createHash } from 'node:crypto';
import { AppError } from '#api/errors.ts';
import { assertDeletionNotRequested } from '#api/services/accounts/deletion.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/ground/premium-status.ts';
import { getOwnPhoto, keepReceivedPhoto, type ReceivedPhoto, removePhoto } from '#api/services/photos/photos.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { Generation, Photo, Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import type { VideoSeconds } from '#shared/rules/prices.ts';
import { priceOf } from '#shared/rules/tools.ts';
import { chooseGenerationPriority } from './priority.ts';
import { estimateSeconds } from './progress.ts';
import { type HoldOutcome, holdAndInsertGeneration } from './start-generation-statement.ts';

/** Generations that end between a refused insert and the look at them, one after another, are next to impossible. */
const INSERT_ATTEMPTS = 3;

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
  /** Seconds of the video that is made; absent for pictures. */
  videoSeconds?: VideoSeconds;
  /** The price that the person has agreed to, in stars; null or absent when the client names none. */
  agreedPrice?: number | null;
  /** Given by the client; the same key with the same request answers the same generation. */
  idempotencyKey: string | null;
}

interface PricedRequest extends GenerationRequest {
  /** Price. */
  stars: number;
}

/**
 * Holds the stars, writes the generation and sends its job, all or nothing. Throws AppError photo_not_found,
 * deletion_asked, price_changed, not_enough_stars, active_generation (with the id of the running one), idempotency_key_reused, and what
 * keepReceivedPhoto throws.
 */
export async function startGeneration(app: AppContext, asked: GenerationRequest): Promise<{ generationId: string }> {
  const { accountId, kind } = asked;
  const request: PricedRequest = { ...asked, stars: priceOf(kind, asked.videoSeconds) };
  const known = 'imageId' in request.photo ? await getOwnPhoto(app.db, accountId, request.photo.imageId) : null;
  const requestHash = hashRequest(request, known);
  const repeated = await findRepeated(app, request);
  if (repeated) return answerRepeated(repeated, requestHash);
  await assertDeletionNotRequested(app.db, accountId);
  if (request.agreedPrice != null && request.agreedPrice !== request.stars) throw new AppError('price_changed');

  const photo = known ?? (await keepNewPhoto(app, request));
  const started = await insertUnlessRefused(app, request, photo, requestHash).catch(async (error: unknown) => {
    if (!known) await removePhoto(app, photo);
    throw error;
  });
  if (started.isNew) {
    app.log.info({ action: 'generation_accepted', kind, accountId, ...started.answer }, 'generation accepted');
  } else if (!known) {
    await removePhoto(app, photo);
  }
  return started.answer;
}

/** Inserts, or finds out to whom it lost: the same request sent twice at once, another tab, or the last star spent. */
async function insertUnlessRefused(
  app: AppContext,
  request: PricedRequest,
  photo: Photo,
  requestHash: Uint8Array,
): Promise<{ isNew: boolean; answer: { generationId: string } }> {
  for (let attempt = 1; attempt <= INSERT_ATTEMPTS; attempt++) {
    const outcome = await hold(app, request, photo, requestHash);
    if (outcome.state === 'inserted') return { isNew: true, answer: { generationId: outcome.generationId } };
    const repeated = await findRepeated(app, request);
    if (repeated) return { isNew: false, answer: answerRepeated(repeated, requestHash) };
    await assertNoActiveGeneration(app, request);
    if (outcome.state === 'not_enough_stars') throw new AppError('not_enough_stars');
    // The generation that stood in the way has ended since: nothing forbids this one any more.
  }
  throw new AppError('unavailable');
}

async function hold(
  app: AppContext,
  request: PricedRequest,
  photo: Photo,
  requestHash: Uint8Array,
): Promise<HoldOutcome> {
  const { accountId, kind, choice, facts, videoSeconds = null, stars, idempotencyKey } = request;
  const { isPremium } = await getPremiumStatus(app, accountId);
  const engine = app.engine.name;
  return holdAndInsertGeneration(app, {
    accountId,
    kind,
    photoId: photo.id,
    settings: { ...choice, ...facts },
    stars,
    idempotencyKey,
    requestHash,
    engine,
    expectedSeconds: await estimateSeconds(app, { kind, engine, videoSeconds }),
    priority: chooseGenerationPriority(isPremium),
  });
}

/** Keeps the photo that came with the request, unless the start would be refused anyway. */
async function keepNewPhoto(app: AppContext, request: PricedRequest): Promise<Photo> {
  if (!('received' in request.photo)) throw new AppError('photo_missing');
  await assertNoActiveGeneration(app, request);
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
async function assertNoActiveGeneration(app: AppContext, { accountId, kind }: GenerationRequest): Promise<void> {
  const active = await app.db.generation.findFirst({
    where: { accountId, kind, status: { in: [...ACTIVE_STATUSES] } },
    select: { id: true },
  });
  if (active) throw new AppError('active_generation', { generationId: active.id });
}
