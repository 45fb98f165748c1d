import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { predictLength } from 'client-zip';
import { AppError } from '#api/platform/errors.ts';
import { type Archive, streamZip, type ZipEntry } from '#api/platform/zip-archive.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus } from '#api/services/core/premium-status.ts';
import { getOwnGeneration } from '#api/services/generations/results/find-generation.ts';
import { reviewResults } from '#api/services/generations/results/lost-results.ts';
import { toNamed, withNames } from '#api/services/generations/results/result-names.ts';
import { listOwnItems } from '#api/services/generations/results/results.ts';
import { findProductMark } from '#api/services/products/product-marks.ts';
import type { Result } from '#prisma/generated/client.ts';
import { makeNamesUnique } from '#shared/rules/download-names.ts';
import { nameGenerationStem } from '#shared/rules/result-names.ts';
import { shortId } from '#shared/rules/short-id.ts';
import { assertMayDownload } from './downloads.ts';

/** The Swedish format is year-month-day. */
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: 'Europe/Moscow' });

type SizedEntry = ZipEntry & { size: number; lastModified: Date };

/** Originals of chosen images and videos. Throws ITEM_REFUSALS, premium_required. */
export async function archiveItems(app: AppContext, accountId: number, ids: string[]): Promise<Archive> {
  const results = await listOwnItems(app.db, accountId, ids);
  assertMayDownload(await getPremiumStatus(app, accountId));
  return makeArchive(app, nameChoice(results), results);
}

/**
 * Originals of a photo session's frames. Throws generation_not_found, also when it has none, generation_forbidden,
 * premium_required.
 */
export async function archivePhotosession(app: AppContext, accountId: number, sessionId: string): Promise<Archive> {
  const session = await getOwnGeneration(app.db, { accountId, kinds: ['photosession'], id: sessionId });
  const { results } = session;
  if (results.length === 0) throw new AppError('generation_not_found');
  assertMayDownload(await getPremiumStatus(app, accountId));
  return makeArchive(app, `${await nameSession(app, results)}.zip`, results);
}

async function nameSession(app: AppContext, [first]: readonly Result[]): Promise<string> {
  if (!first) return 'Подиум';
  return nameGenerationStem(toNamed(first, await findProductMark(app.db, first)));
}

/** Has no photo's name, because there are many photos. The same selection on the same day gets the same name. */
function nameChoice(results: Result[]): string {
  const choice = createHash('sha256').update(results.map(({ id }) => id).join());
  return `Подиум_Галерея_${DAY.format(new Date())}_${shortId(choice.digest('hex'))}.zip`;
}

/** Lost files are named in a text beside the others. Throws result_lost when all are. */
async function makeArchive(app: AppContext, name: string, results: Result[]): Promise<Archive> {
  const names = makeNamesUnique((await withNames(app.db, results)).map(({ name }) => name.fileName));
  const reviewed = await reviewResults(app, results);
  const files: SizedEntry[] = [];
  const lost: string[] = [];
  for (const [index, result] of results.entries()) {
    const { originalKey, bytes, createdAt } = result;
    const fileName = names[index] ?? originalKey;
    if (reviewed[index]) lost.push(fileName);
    else {
      const open = () => app.storage.open(originalKey);
      files.push({ name: fileName, size: bytes, lastModified: createdAt, open });
    }
  }
  if (files.length === 0) throw new AppError('result_lost');
  if (lost.length > 0) files.push(nameLost(lost));
  return { name, bytes: Number(predictLength(files)), open: () => streamZip(files) };
}

function nameLost(names: string[]): SizedEntry {
  const text = `Этих файлов больше нет на сервере, звёзды за них можно вернуть в галерее:\n${names.join('\n')}\n`;
  const content = Buffer.from(text);
  return {
    name: 'Потерянные файлы.txt',
    size: content.length,
    lastModified: new Date(),
    open: async () => Readable.from([content]),
  };
}
