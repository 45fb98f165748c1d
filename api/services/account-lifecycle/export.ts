import { Readable } from 'node:stream';
import { ObjectNotFoundError } from '#api/adapters/storage/object-storage.ts';
import { readPages } from '#api/database/read-pages.ts';
import { AppError } from '#api/platform/errors.ts';
import { type Archive, streamZip, type ZipEntry } from '#api/platform/zip-archive.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { writeCsv } from '#api/services/core/csv.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { openFile } from '#api/services/core/stored-file.ts';
import { openResultFile } from '#api/services/generations/results/result-files.ts';
import { findKeptResult, isPicture } from '#api/services/generations/results/results.ts';
import { withShownPhoto } from '#api/services/generations/results/shown-photos.ts';
import { awaitVideoCopy, isPreparing } from '#api/services/generations/results/video-copies.ts';
import { ensureWatermarkedImage } from '#api/services/generations/results/watermarked-copies.ts';
import { findMask } from '#api/services/photos/photo-files.ts';
import type { Result } from '#prisma/generated/client.ts';
import { DATA_SECTIONS, type DataSection, namePhotoFile, namePhotoMask, nameResultFile } from './export-data.ts';
import { listWithMerged } from './merge-accounts.ts';

/** The file of an uploaded photo. No payment is needed for it, because an upload has no logo. */
const SHOWN_PHOTO = { size: 'master', isPremium: false } as const;

/**
 * Everything stored about an account: JSON by kind, the uploaded photos, and the results as their owner may have them
 * now. It is read, opened and written piece by piece.
 */
export function exportAccount(app: AppContext, accountId: number): Archive {
  const date = new Date().toISOString().slice(0, 10);
  return { name: `podium-data-${date}.zip`, bytes: null, open: () => streamZip(listEntries(app, accountId)) };
}

async function* listEntries(app: AppContext, accountId: number): AsyncGenerator<ZipEntry> {
  const now = new Date();
  const accountIds = await listWithMerged(app, [accountId]);
  yield { name: 'README.txt', lastModified: now, open: async () => Readable.from([describeContents()]) };
  for (const section of DATA_SECTIONS) {
    yield {
      name: `${section.name}.json`,
      lastModified: now,
      open: async () => Readable.from(writeJson(app, accountIds, section)),
    };
  }
  yield {
    name: 'products.csv',
    lastModified: now,
    open: async () => Readable.from([await writeProducts(app, accountIds)]),
  };
  for (const id of accountIds) {
    yield* listPhotos(app, id);
    yield* listResults(app, id);
  }
}

/** A table for Excel. The files of photos and results name their products by id. */
async function writeProducts({ db }: AppContext, accountIds: number[]): Promise<string> {
  const products = await db.product.findMany({ where: { accountId: { in: accountIds } }, orderBy: { id: 'asc' } });
  return writeCsv([
    ['Артикул', 'Название', 'Создан', 'id'],
    ...products.map(({ article, name, createdAt, id }) => [article, name ?? '', createdAt.toISOString(), id]),
  ]);
}

async function* listPhotos(app: AppContext, accountId: number): AsyncGenerator<ZipEntry> {
  for await (const photo of readPages((page) =>
    // A picked result is among the results, as its owner may have it.
    app.db.photo.findMany({ ...page, where: { ...page.where, accountId, resultId: null } }),
  )) {
    const file = await withShownPhoto(app, photo, SHOWN_PHOTO, (shown) => openFile(app, shown)).catch(nullWhenGone);
    yield* offerFile(namePhotoFile(photo), photo.createdAt, file);
    const stored = findMask(photo);
    const mask = stored && (await openFile(app, stored).catch(nullWhenGone));
    yield* offerFile(namePhotoMask(photo), photo.createdAt, mask);
  }
}

async function* listResults(app: AppContext, accountId: number): AsyncGenerator<ZipEntry> {
  for await (const { id } of readPages((page) =>
    app.db.result.findMany({ ...page, where: { ...page.where, accountId }, select: { id: true } }),
  )) {
    // It may have been removed for good since the page was read: the files before it take their time.
    const result = await findKeptResult(app.db, id);
    if (!result) continue;
    const file = await openResult(app, result).catch(nullWhenGone);
    yield* offerFile(nameResultFile(result), result.createdAt, file);
  }
}

async function openResult(app: AppContext, result: Result): Promise<Readable> {
  const { isPremium } = await getPremiumStatus(app, result.accountId);
  if (isPremium) return openResultFile(app, result, result.originalKey);
  const copy = isPicture(result) ? ensureWatermarkedImage(app, result) : awaitVideoCopy(app, result);
  return openResultFile(app, result, await copy);
}

/**
 * A lost or removed file is left out, and so is a video whose copy cannot be made in time: the archive would break off.
 */
function* offerFile(name: string, lastModified: Date, file: Readable | null): Generator<ZipEntry> {
  if (file) yield { name, lastModified, open: async () => file };
}

function nullWhenGone(error: unknown): null {
  if (error instanceof ObjectNotFoundError) return null;
  if (isPreparing(error) || (error instanceof AppError && error.code === 'video_copy_failed')) return null;
  throw error;
}

async function* writeJson(app: AppContext, accountIds: number[], { read }: DataSection): AsyncGenerator<string> {
  let separator = '[\n';
  for (const accountId of accountIds) {
    for await (const record of read(app.db, accountId)) {
      yield separator + JSON.stringify(record, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
      separator = ',\n';
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function describeContents(): string {
  return [
    'Ваши данные в «Подиуме»',
    '',
    ...DATA_SECTIONS.map(({ name, title }) => `${name}.json — ${title}`),
    'products.csv — товары: артикулы и названия',
    'photos/ — загруженные фото, какими они хранятся; у фото с прозрачным фоном рядом его маска',
    'results/ — готовые видео и изображения; до первой оплаты с водяным знаком',
    '',
    'Пароль, токены сеансов и ключи уведомлений не выгружаются: они нужны только для входа и доставки.',
    'Время указано по UTC.',
    '',
  ].join('\n');
}
