import type { Db } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { listTakenResults } from '#api/services/batches/batch-view.ts';
import { getOwnBatch } from '#api/services/batches/batches.ts';
import { toNamed } from '#api/services/generations/results/result-names.ts';
import { listOwnItems } from '#api/services/generations/results/results.ts';
import { listProductMarks } from '#api/services/products/product-marks.ts';
import { getOwnProduct } from '#api/services/products/products.ts';
import type { Pack, Result } from '#prisma/generated/client.ts';
import type { PackSubject } from '#shared/contract/packs.ts';
import type { Marketplace } from '#shared/rules/marketplaces.ts';
import {
  type ArrangedFile,
  arrangePack,
  countEncodedVideos,
  PACK_BYTES_MAX,
  PACK_ENCODED_VIDEOS_MAX,
  PACK_FILES_MAX,
  type PackItem,
} from '#shared/rules/packs.ts';

const TITLE_OF_CHOICE = 'Выбранное';

/** What a pack is made of. `results`: in the order in which they are put into it. */
interface PackContent extends Pick<Pack, 'title' | 'batchId' | 'productId'> {
  results: Result[];
}

export interface PackOrder {
  marketplace: Marketplace;
  subject: PackSubject;
  template: string;
}

/** What a pack is made of, and its files in their order. */
export interface ArrangedContent extends Omit<PackContent, 'results'> {
  files: ArrangedFile<PackedResult>[];
}

/**
 * Finds what a pack is made of, and arranges it. Throws batch_not_found, batch_forbidden, product_not_found, product_forbidden,
 * ITEM_REFUSALS, pack_empty, pack_too_large.
 */
export async function findPackContent(
  db: Db,
  accountId: number,
  { subject, ...order }: PackOrder,
): Promise<ArrangedContent> {
  const { results, ...content } = await findContent(db, accountId, subject);
  if (results.length === 0) throw new AppError('pack_empty');
  const bytes = results.reduce((sum, result) => sum + result.bytes, 0);
  if (results.length > PACK_FILES_MAX || bytes > PACK_BYTES_MAX) throw new AppError('pack_too_large');
  const files = arrangePack(await describeItems(db, results), order);
  if (countEncodedVideos(files) > PACK_ENCODED_VIDEOS_MAX) throw new AppError('pack_too_large');
  return { ...content, files };
}

async function findContent(db: Db, accountId: number, subject: PackSubject): Promise<PackContent> {
  if ('batchId' in subject) {
    const { id, name } = await getOwnBatch(db, accountId, subject.batchId);
    return { title: name, batchId: id, productId: null, results: await listTakenResults(db, id) };
  }
  if ('productId' in subject) {
    const { id, article } = await getOwnProduct(db, accountId, subject.productId);
    return { title: article, batchId: null, productId: id, results: await listResultsOfProduct(db, id) };
  }
  const results = await listOwnItems(db, accountId, subject.itemIds);
  return { title: TITLE_OF_CHOICE, batchId: null, productId: null, results };
}

/** The oldest first, so that the main picture stays the same when others are added. */
function listResultsOfProduct(db: Db, productId: string): Promise<Result[]> {
  return db.result.findMany({
    where: { productId, deletedAt: null },
    orderBy: [{ startedAt: 'asc' }, { generationId: 'asc' }, { position: 'asc' }],
    take: PACK_FILES_MAX + 1,
  });
}

export type PackedResult = PackItem & { result: Result };

/** Results with what the rules for packs ask about. */
export async function describeItems(db: Db, results: readonly Result[]): Promise<PackedResult[]> {
  const products = await listProductMarks(db, results);
  return results.map((result) => {
    const { contentType, bytes, width, height, durationSeconds } = result;
    const named = toNamed(result, products.get(result.productId ?? '') ?? null);
    return { result, named, contentType, bytes, width, height, durationSeconds };
  });
}
