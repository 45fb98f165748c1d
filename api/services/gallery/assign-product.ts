import type { Tx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { takeNumber } from '#api/services/generations/results/result-names.ts';
import { madeOf } from '#api/services/generations/results/result-origins.ts';
import { listOwnItems } from '#api/services/generations/results/results.ts';
import { getOwnPhotos } from '#api/services/photos/photos.ts';
import { ensureProduct } from '#api/services/products/article-guesses.ts';
import { findProductMark } from '#api/services/products/product-marks.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Prisma, Result } from '#prisma/generated/client.ts';
import type { ProductMark } from '#shared/contract/product-mark.ts';

interface Assignment {
  /** Null takes photos and results out of their products. */
  article: string | null;
  photoIds: readonly string[];
  /** As the gallery has them: a picture's own id, the generation's id of a video. */
  itemIds: readonly string[];
}

/**
 * Gives photos and results to the product with this article, which is created if needed, or takes them out of theirs.
 * What was made from such a photo follows it, but for results that stand in another product. All or nothing. Throws
 * photo_not_found, photo_forbidden, ITEM_REFUSALS.
 */
export async function assignProduct(
  app: AppContext,
  accountId: number,
  { article, photoIds, itemIds }: Assignment,
): Promise<{ product: ProductMark | null }> {
  return app.db.$transaction(async (tx) => {
    // A start of this account reads the product of its photo before or after this, never in between.
    await lockBalance(tx, accountId);
    const photos = await getOwnPhotos(tx, accountId, photoIds);
    const results = await listOwnItems(tx, accountId, itemIds);
    const productId = article === null ? null : await ensureProduct(tx, accountId, article);
    const ids = photos.map(({ id }) => id);
    const { count } = await tx.photo.updateMany({
      where: { id: { in: ids } },
      data: { productId, guessedArticle: null },
    });
    // Its owner has deleted one meanwhile.
    if (count < ids.length) throw new AppError('photo_not_found');
    const moved = new Map(results.map((result) => [result.id, result]));
    for (const [from, together] of Map.groupBy(photos, (photo) => photo.productId)) {
      const isMade = { inputs: { some: { photoId: { in: together.map(({ id }) => id) }, position: 0 } } };
      await tx.generation.updateMany({ where: { ...isMade, productId: from }, data: { productId } });
      const made = await tx.result.findMany({ where: { generation: isMade, productId: from } });
      for (const result of made) moved.set(result.id, result);
    }
    await moveResults(tx, accountId, [...moved.values()], productId);
    return { product: await findProductMark(tx, { productId }) };
  });
}

/**
 * Moves results to another product, or out of theirs, and gives them the next numbers there: frames of one generation
 * the same one. Those that stand there already keep theirs. The account is locked by the caller.
 */
export async function moveResults(
  tx: Tx,
  accountId: number,
  results: readonly Result[],
  productId: string | null,
): Promise<void> {
  const article = (await findProductMark(tx, { productId }))?.article;
  const moved = results.filter((result) => result.productId !== productId).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const frames of Map.groupBy(moved, ({ generationId }) => generationId).values()) {
    const [first] = frames;
    if (!first) continue;
    const number = await takeNumber(tx, accountId, { made: madeOf(first), photoName: first.photoName, article });
    const data = { productId, number } satisfies Prisma.ResultUncheckedUpdateManyInput;
    await tx.result.updateMany({ where: { id: { in: frames.map(({ id }) => id) } }, data });
  }
}
