import { createHash } from 'node:crypto';
import { createRowId } from '#api/database/database.ts';
import { isOutcomeUnknown } from '#api/database/faults.ts';
import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertConsents } from '#api/services/core/consents.ts';
import { requireOwn } from '#api/services/core/ownership.ts';
import { countPremiumPayments } from '#api/services/core/premium-status.ts';
import { assertReadyForStart } from '#api/services/core/storage-room.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import { getEngine } from '#api/services/core/tool-abilities.ts';
import { assertEngineReady, returnTrial, takeTrial } from '#api/services/generations/engine-health/engine-outages.ts';
import type { PhotoSource, PreparedChoice } from '#api/services/generations/tools/generation-tool.ts';
import { findMask, findSourceFiles } from '#api/services/photos/photo-files.ts';
import { keepReceivedPhoto, removePhoto } from '#api/services/photos/photos.ts';
import { getBalance } from '#api/services/stars/ledger.ts';
import type { Account, Photo, Prisma } from '#prisma/generated/client.ts';
import { ACTIVE_STATUSES, type GenerationKind } from '#shared/rules/generation-lifecycle.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { type InputRole, priceOf } from '#shared/rules/tools.ts';
import {
  type BatchedStart,
  type InsertOutcome,
  insertGeneration,
  matchRepeated,
  type NewGeneration,
  type RepeatedGeneration,
  type RequestIdentity,
} from './insert-generation.ts';

/**
 * How much later a person who has paid may come and still go first. Far below the watchdog's 30 minutes, so that nobody
 * starves.
 */
export const PAID_HEAD_START_SECONDS = 10 * 60;
/** How much later a person may start something by hand and still go before a row of a batch. */
const BATCH_DELAY_SECONDS = 30 * 60;
/** Priorities are 32-bit numbers. Seconds since this moment fit for 68 years. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

/** A photo of the request and its role. */
export interface InputSource {
  role: InputRole;
  source: PhotoSource;
}

/** A request whose choice is checked. */
interface CheckedRequest extends PreparedChoice {
  accountId: number;
  kind: GenerationKind;
  /** In the order that the tool defines. */
  sources: readonly InputSource[];
  /** Makes these outputs of a generation again, free of charge. A repeat returns the same re-roll. */
  reroll?: NewGeneration['reroll'];
  /** The price that the person has agreed to, in stars. Null when the client names none. */
  agreedPrice: number | null;
  /** Set by the client. The same key with the same request returns the same generation. */
  idempotencyKey: string | null;
  row?: BatchedStart | undefined;
}

/** An input whose photo is stored already or still to be stored. */
interface RequestedInput {
  role: InputRole;
  photo: Photo | Extract<PhotoSource, { received: unknown }>;
}

/**
 * Holds the stars, writes the generation and sends its job, all or nothing. Throws AppError photo_not_found,
 * deletion_asked, consent_required, transfer_consent_required, price_changed, not_enough_stars, active_generation (with
 * the id of the running one), idempotency_key_reused, tool_not_offered, engine_maintenance, engine_failing,
 * engine_budget_reached, engine_free_runs_reached, engine_share_reached, engine_refusals_reached, file_lost,
 * storage_full, storage_unavailable, unauthorized when the account was merged or erased since the request began, and what
 * keepReceivedPhoto throws.
 */
export async function acceptGeneration(
  app: AppContext,
  {
    accountId,
    kind,
    sources,
    choice,
    facts,
    videoSeconds,
    reroll = null,
    agreedPrice,
    idempotencyKey,
    row,
  }: CheckedRequest,
): Promise<{ generationId: string }> {
  const [account, known] = await Promise.all([
    readAccount(app, { accountId, kind, idempotencyKey, reroll }),
    listKnownPhotos(app, sources),
  ]);
  const requested = sources.map(({ role, source }) => ({ role, photo: findKnownPhoto(accountId, source, known) }));
  const requestHash = hashRequest(requested, choice);
  if (account.repeated) return answerRepeated(account.repeated, requestHash);
  if (account.deletionAskedAt) throw new AppError('deletion_asked');
  const engine = getEngine(app, kind);
  assertConsents(account, engine.photosTravel);
  await assertFilesReady(app, requested);
  const stars = reroll ? 0 : priceOf(kind, videoSeconds);
  if (agreedPrice !== null && agreedPrice !== stars) throw new AppError('price_changed');

  // Photos of the request are stored, and an engine that fails is tried, only for a start that can succeed.
  const checkPossible = () => assertPossible(app, { accountId, kind, stars, row });
  if (requested.some(({ photo }) => 'received' in photo)) await checkPossible();
  const id = createRowId();
  const { inputs, stored, hasGuess } = await storeNewPhotos(app, accountId, requested);
  const undo = async () => {
    await returnTrial(app.db, id);
    await removePhotos(app, stored);
  };
  let outcome: InsertOutcome;
  try {
    const payer = { id: accountId, isPremium: account.isPremium };
    const asked = { kind, videoSeconds, account: payer, outputs: reroll?.positions.length };
    const outages = await assertEngineReady(app, engine, asked);
    if (outages.length > 0) {
      await checkPossible();
      await takeTrial(app, outages, id);
    }
    outcome = await insertGeneration(app, {
      id,
      accountId,
      kind,
      inputs,
      hasGuess,
      settings: { ...choice, ...facts },
      stars,
      reroll,
      idempotencyKey,
      requestHash,
      row,
      engine: engine.name,
      job: engine.photosTravel === 'nowhere' ? 'run-generation' : 'follow-generation',
      priority: chooseGenerationPriority(account.isPremium) - (row ? BATCH_DELAY_SECONDS : 0),
    });
  } catch (error) {
    // A start whose outcome is unknown may have succeeded, with these photos.
    if (!isOutcomeUnknown(error)) await undo();
    throw error;
  }
  if (outcome.state === 'inserted') {
    app.log.info({ action: 'generation_accepted', kind, accountId, generationId: id }, 'generation accepted');
    return { generationId: id };
  }
  await undo();
  if (outcome.state === 'repeated') return answerRepeated(outcome.generation, requestHash);
  throw new AppError(outcome.state, outcome.state === 'active_generation' ? { generationId: outcome.activeId } : {});
}

/** What a start has to know of its account. */
interface StartingAccount extends Pick<Account, 'consentVersion' | 'transferConsentVersion' | 'deletionAskedAt'> {
  /** Whether it has paid. */
  isPremium: boolean;
  /** What the same request has started. */
  repeated: RepeatedGeneration | null;
}

async function readAccount({ db, payments }: AppContext, request: RequestIdentity): Promise<StartingAccount> {
  const [{ id, requestHash, ...account }] = await db.$queryRaw<
    [Omit<StartingAccount, 'repeated'> & (RepeatedGeneration | { id: null; requestHash: null })]
  >`
    select consent_version as "consentVersion", transfer_consent_version as "transferConsentVersion",
      deletion_asked_at as "deletionAskedAt", ${countPremiumPayments({ payments })} > 0 as "isPremium",
      generations.id, request_hash as "requestHash"
    from accounts as account left join generations on ${matchRepeated(request)}
    where account.id = ${request.accountId}`;
  return { ...account, repeated: id === null ? null : { id, requestHash } };
}

/** Those of the photos that exist, of any account. A picked result that is deleted for good does not. */
function listKnownPhotos({ db }: AppContext, sources: readonly InputSource[]): Promise<Photo[]> {
  const photoIds = sources.flatMap(({ source }) => ('imageId' in source ? [source.imageId] : []));
  const keptSince = new Date(Date.now() - DELETED_KEPT_MS);
  return db.photo.findMany({
    where: {
      id: { in: photoIds.filter(isUuid) },
      OR: [{ resultId: null }, { result: { deletedAt: null } }, { result: { deletedAt: { gte: keptSince } } }],
    },
  });
}

/** Throws photo_not_found, photo_forbidden. */
function findKnownPhoto(accountId: number, source: PhotoSource, known: readonly Photo[]): RequestedInput['photo'] {
  if ('received' in source) return source;
  const id = source.imageId.toLowerCase();
  return requireOwn('photo', accountId, known.find((photo) => photo.id === id) ?? null);
}

/**
 * Throws what assertReadyForStart throws, and photo_not_found when the owner has deleted a photo since it was looked up:
 * its row goes before its files, so a missing file may mean that.
 */
async function assertFilesReady(app: AppContext, inputs: readonly RequestedInput[]): Promise<void> {
  const photos = inputs.flatMap(({ photo }) => ('received' in photo ? [] : [photo]));
  const files: RecordedFile[] = [];
  for (const photo of photos) {
    const mask = findMask(photo);
    files.push((await findSourceFiles(app.db, photo)).master, ...(mask ? [mask] : []));
  }
  try {
    await assertReadyForStart(app, files);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'file_lost')) throw error;
    const ids = new Set(photos.map(({ id }) => id));
    const kept = await app.db.photo.count({ where: { id: { in: [...ids] } } });
    throw kept < ids.size ? new AppError('photo_not_found') : error;
  }
}

/** Stores the photos that came with the request, all or none. */
async function storeNewPhotos(
  app: AppContext,
  accountId: number,
  requested: readonly RequestedInput[],
): Promise<Pick<NewGeneration, 'inputs' | 'hasGuess'> & { stored: Photo[] }> {
  const inputs: { role: InputRole; photoId: string }[] = [];
  const stored: Photo[] = [];
  let hasGuess = false;
  try {
    for (const { role, photo } of requested) {
      const isNew = 'received' in photo;
      const row = isNew ? await keepReceivedPhoto(app, accountId, photo.received) : photo;
      if (isNew) stored.push(row);
      if (inputs.length === 0) hasGuess = row.guessedArticle !== null;
      inputs.push({ role, photoId: row.id });
    }
  } catch (error) {
    await removePhotos(app, stored);
    throw error;
  }
  return { inputs, stored, hasGuess };
}

async function removePhotos(app: AppContext, photos: readonly Photo[]): Promise<void> {
  for (const photo of photos) await removePhoto(app, photo);
}

/** Throws what the insert would be refused for. */
async function assertPossible(
  app: AppContext,
  { accountId, kind, stars, row }: Pick<NewGeneration, 'accountId' | 'kind' | 'stars' | 'row'>,
): Promise<void> {
  const active = await app.db.generation.findFirst({
    where: { accountId, kind, batchId: null, status: { in: [...ACTIVE_STATUSES] } },
    select: { id: true },
  });
  if (active && !row) throw new AppError('active_generation', { generationId: active.id });
  if ((await getBalance(app, accountId)) < stars) throw new AppError('not_enough_stars');
}

/** A tool takes its photos in a fixed order, so their ids, or the hashes of their bytes, identify a request. */
function hashRequest(inputs: readonly RequestedInput[], choice: Prisma.InputJsonObject): Uint8Array<ArrayBuffer> {
  const photos = inputs.map(({ photo }) => ('received' in photo ? photo.received.sha256 : photo.id));
  return new Uint8Array(
    createHash('sha256')
      .update(JSON.stringify({ photo: photos.join(), choice }))
      .digest(),
  );
}

function answerRepeated({ id, requestHash }: RepeatedGeneration, asked: Uint8Array): { generationId: string } {
  if (Buffer.compare(requestHash, asked) !== 0) throw new AppError('idempotency_key_reused');
  return { generationId: id };
}

/**
 * Priority of a job in the queue. The highest runs first. It is the negated time of the start, plus ten minutes for
 * people who have paid. So they go first, but nobody who waits is overtaken for ever.
 */
export function chooseGenerationPriority(isPaid: boolean, now = Date.now()): number {
  return (isPaid ? PAID_HEAD_START_SECONDS : 0) - Math.floor((now - EPOCH_MS) / 1000);
}
