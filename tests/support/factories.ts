import { hash, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import type { AppContext } from '#api/services/app-context.ts';
import { withTemporaryFolder } from '#api/services/core/temporary-folder.ts';
import type { NewResult } from '#api/services/generations/results/result-files.ts';
import { makeVideoCopy } from '#api/services/generations/results/video-copies.ts';
import { keepReceivedPhoto } from '#api/services/photos/photos.ts';
import type {
  Account,
  EngineRun,
  GarmentVerdict,
  GenerationKind,
  Payment,
  Photo,
  Prisma,
  Result,
} from '#prisma/generated/client.ts';
import { DOCUMENTS_VERSION, TRANSFER_VERSION } from '#shared/rules/legal-documents.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { drawTestVideo } from '#tests/fixtures/draw-test-video.ts';

interface NewAccount {
  isVerified?: boolean;
  /** Also written to the ledger, as a correction. */
  stars?: number;
  isPaid?: boolean;
}

/** Creates an account directly in the database, for tests that are not about registration. */
export async function createAccount(app: Pick<AppContext, 'db'>, options: NewAccount = {}): Promise<Account> {
  const { isVerified = true, stars = 2, isPaid = false } = options;
  const email = `${randomUUID()}@example.com`;
  return app.db.$transaction(async (tx) => {
    const account = await tx.account.create({
      data: {
        email,
        emailKey: email,
        passwordHash: 'none',
        username: 'person',
        emailVerifiedAt: isVerified ? new Date() : null,
        consentVersion: DOCUMENTS_VERSION,
        consentAt: new Date(),
        transferConsentVersion: TRANSFER_VERSION,
        transferConsentAt: new Date(),
        starBalance: stars,
      },
    });
    if (stars !== 0) {
      await tx.starEntry.create({
        data: { accountId: account.id, kind: 'correction', delta: stars, causeKey: `correction:${randomUUID()}` },
      });
    }
    if (isPaid) await createPayment(tx, account.id);
    return account;
  });
}

/** Creates a successful payment, which makes the account premium. */
export function createPayment(tx: Pick<AppContext['db'], 'payment'>, accountId: number): Promise<Payment> {
  return tx.payment.create({
    data: {
      accountId,
      provider: 'sandbox',
      status: 'succeeded',
      packageName: 'Примерка',
      stars: 10,
      amountMinor: 49_000,
      paidAt: new Date(),
    },
  });
}

/** Decodes and stores a photo, as a form and the bot do with what they have received. */
export function keepPhoto(app: AppContext, accountId: number, content: Buffer, name = 'photo.jpg'): Promise<Photo> {
  return withTemporaryFolder(app, async (folder) => {
    const file = path.join(folder, 'photo');
    await writeFile(file, content);
    const sha256 = hash('sha256', content);
    return keepReceivedPhoto(app, accountId, { path: file, size: content.length, sha256, name });
  });
}

/** The row of an upload, which names files. */
export type UploadedRow = Photo & Record<'masterKey' | 'previewKey' | 'thumbnailKey', string>;

/** As long as the texts that tests put in the place of the files. */
const FILE_SIZES = { masterBytes: 'master'.length, previewBytes: 'preview'.length, thumbnailBytes: 'thumbnail'.length };

/** Creates a photo's row without its files. `sizes`: of the files that a test will store. */
export async function createPhoto(
  app: Pick<AppContext, 'db'>,
  accountId: number,
  sizes: Partial<typeof FILE_SIZES> = {},
): Promise<UploadedRow> {
  const folder = `photos/${accountId}/${randomUUID()}`;
  const photo = await app.db.photo.create({
    data: {
      accountId,
      name: 'photo.jpg',
      type: 'image/jpeg',
      size: 1000,
      width: 1200,
      height: 1600,
      masterKey: `${folder}/master.jpg`,
      previewKey: `${folder}/preview.webp`,
      thumbnailKey: `${folder}/thumbnail.webp`,
      ...FILE_SIZES,
      ...sizes,
      storedBytes: 1000,
    },
  });
  return asUpload(photo);
}

/** The photo, which must be an upload. */
export function asUpload(photo: Photo): UploadedRow {
  const { masterKey, previewKey, thumbnailKey } = photo;
  if (!masterKey || !previewKey || !thumbnailKey) throw new Error(`${photo.id} is a picked result`);
  return { ...photo, masterKey, previewKey, thumbnailKey };
}

/** Creates a photo's row and something in the place of its master, so that generations may start with it. */
export async function createStoredPhoto(
  app: Pick<AppContext, 'db' | 'storage'>,
  accountId: number,
): Promise<UploadedRow> {
  const photo = await createPhoto(app, accountId);
  await app.storage.put(photo.masterKey, Buffer.from('master'), 'image/jpeg');
  return photo;
}

/** A photo as the first input of a generation. */
export function subjectOf({ id: photoId }: { id: string }) {
  return { position: 0, role: 'subject', photoId } as const;
}

/** Creates a generation, finished by default, of a photo that has no files unless it is given. Returns its id. */
export async function createGeneration(
  app: Pick<AppContext, 'db'>,
  accountId: number,
  kind: GenerationKind,
  status: 'completed' | 'generating' = 'completed',
  givenPhoto?: Photo,
): Promise<string> {
  const photo = givenPhoto ?? (await createPhoto(app, accountId));
  const generation = await app.db.generation.create({
    data: {
      accountId,
      kind,
      status,
      inputs: { create: subjectOf(photo) },
      settings: {},
      stars: 1,
      requestHash: Buffer.alloc(32),
      engine: 'fake',
      finishedAt: status === 'completed' ? new Date() : null,
    },
  });
  return generation.id;
}

/** Writes down a job of a generation at a remote engine, by default one that succeeded at once and cost nothing. */
export function createEngineRun(
  app: Pick<AppContext, 'db'>,
  generationId: string,
  run: Partial<Omit<Prisma.EngineRunUncheckedCreateInput, 'generationId'>> = {},
): Promise<EngineRun> {
  const usual = { engine: 'fake', kind: 'video', model: 'fake', position: 0, reason: 'first' } as const;
  return app.db.engineRun.create({
    data: { ...usual, status: 'succeeded', finishedAt: new Date(), ...run, generationId },
  });
}

/** Writes down what the comparison of a result's garment with its photo has found. */
export async function createFinding(
  app: Pick<AppContext, 'db'>,
  { id: resultId }: Pick<Result, 'id'>,
  verdict: GarmentVerdict = 'drifted',
): Promise<void> {
  const crop = verdict === 'drifted' ? new Uint8Array(await drawCrop()) : null;
  await app.db.garmentCheck.create({
    data: {
      resultId,
      verdict,
      drifts: verdict === 'drifted' ? ['print'] : [],
      sourceCrop: crop,
      resultCrop: crop,
      checkedAt: verdict === 'pending' ? null : new Date(),
    },
  });
  await app.db.result.update({ where: { id: resultId }, data: { hasDrifted: verdict === 'drifted' } });
}

function drawCrop(): Promise<Buffer> {
  return sharp({ create: { width: 180, height: 240, channels: 3, background: '#c04020' } })
    .webp()
    .toBuffer();
}

/** A video as an engine's output is handed over, without files. */
export const VIDEO_RESULT: NewResult = {
  position: 0,
  originalKey: 'o',
  watermarkedKey: 'w',
  posterKey: 'p',
  thumbnailKey: 't',
  contentType: 'video/mp4',
  bytes: 1,
  posterBytes: 1,
  thumbnailBytes: 1,
  width: 1080,
  height: 1440,
  durationSeconds: 5,
};

interface NewImageResult {
  kind?: 'photosession' | 'model_change';
  /** The name that its owner has given it. */
  title?: string | null;
  /** The generation that made it. By default a new one. */
  generationId?: string;
  position?: number;
  width?: number;
  height?: number;
  /** Size of the original. Zeros follow the picture. */
  bytes?: number;
}

/** Creates a picture with its files, as for an owner who has paid: without watermarked copies. */
export async function createImageResult(
  app: Pick<AppContext, 'db' | 'storage'>,
  accountId: number,
  options: NewImageResult = {},
): Promise<Result> {
  const { kind = 'photosession', title = 'Платье', position = 0, width = 600, height = 800, bytes = 0 } = options;
  const generationId = options.generationId ?? (await createGeneration(app, accountId, kind));
  const { original: drawn, poster, thumbnail } = await drawImageFiles(width, height);
  const original = Buffer.concat([drawn, Buffer.alloc(Math.max(0, bytes - drawn.length))]);
  const facts = { accountId, kind, generationId, position, title, width, height, contentType: 'image/jpeg' };
  return storeResult(app, facts, { original, poster, thumbnail });
}

interface ResultFiles {
  original: Buffer;
  poster: Buffer;
  thumbnail: Buffer;
}

/** No test changes the bytes, so the files of each size are drawn once in a process. */
const imageFiles = new Map<string, Promise<ResultFiles>>();

function drawImageFiles(width: number, height: number): Promise<ResultFiles> {
  const size = `${width}x${height}`;
  const files = imageFiles.get(size) ?? encodeImageFiles(width, height);
  imageFiles.set(size, files);
  return files;
}

async function encodeImageFiles(width: number, height: number): Promise<ResultFiles> {
  const original = await drawProductPhoto('garment', { width, height });
  const shrink = (sidePx: number) => sharp(original).resize(sidePx, sidePx, { fit: 'inside' }).webp().toBuffer();
  return { original, poster: await shrink(400), thumbnail: await shrink(200) };
}

interface NewVideoResult {
  /** The name that its owner has given it. */
  title: string | null;
  width: number;
  height: number;
  seconds: number;
}

/** Creates a video with its files, but without a watermarked copy. */
export async function createVideoResult(
  app: Pick<AppContext, 'db' | 'storage'>,
  accountId: number,
  { title = null, width = 180, height = 240, seconds = 1 }: Partial<NewVideoResult> = {},
): Promise<Result> {
  const generationId = await createGeneration(app, accountId, 'video');
  const { content, firstFrame } = await drawTestVideo({ width, height, seconds });
  const picture = await sharp(firstFrame).webp().toBuffer();
  const place = { accountId, generationId, position: 0, kind: 'video', contentType: 'video/mp4' } as const;
  const facts = { ...place, title, width, height, durationSeconds: seconds };
  return storeResult(app, facts, { original: content, poster: picture, thumbnail: picture });
}

async function storeResult(
  { db, storage }: Pick<AppContext, 'db' | 'storage'>,
  facts: Pick<
    Result,
    'accountId' | 'generationId' | 'kind' | 'position' | 'title' | 'contentType' | 'width' | 'height'
  > &
    Partial<Pick<Result, 'durationSeconds'>>,
  { original, poster, thumbnail }: ResultFiles,
): Promise<Result> {
  const { accountId, generationId, position, contentType } = facts;
  const folder = `results/${accountId}/${generationId}/${position}`;
  const originalKey = `${folder}/original.${contentType === 'video/mp4' ? 'mp4' : 'jpg'}`;
  const [posterKey, thumbnailKey] = [`${folder}/poster.webp`, `${folder}/thumbnail.webp`];
  await storage.put(originalKey, original, contentType);
  await storage.put(posterKey, poster, 'image/webp');
  await storage.put(thumbnailKey, thumbnail, 'image/webp');
  const { createdAt, kind } = await db.generation.findUniqueOrThrow({ where: { id: generationId } });
  const sizes = { bytes: original.length, posterBytes: poster.length, thumbnailBytes: thumbnail.length };
  const keys = { originalKey, posterKey, thumbnailKey };
  const named = { photoName: 'Фото', number: 1 };
  return db.result.create({ data: { ...facts, ...named, ...keys, ...sizes, startedAt: createdAt, made: kind } });
}

/** Makes the copy with the logo of a video, as the worker does when somebody first wants to see it. */
export async function makeCopyOf(app: AppContext, generationId: string): Promise<Result> {
  const { id: resultId } = await app.db.result.findFirstOrThrow({ where: { generationId } });
  await app.db.videoCopyOrder.upsert({ where: { resultId }, create: { resultId }, update: {} });
  await makeVideoCopy(app, resultId, new AbortController().signal);
  return app.db.result.findUniqueOrThrow({ where: { id: resultId } });
}
