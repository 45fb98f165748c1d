import type { Db } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { Caller } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { cutPage } from '#api/services/core/cursors.ts';
import { splitSearch } from '#api/services/core/text-search.ts';
import { describeLosses, presentLoss, reviewResult } from '#api/services/generations/results/lost-results.ts';
import { withNames } from '#api/services/generations/results/result-names.ts';
import { madeOf } from '#api/services/generations/results/result-origins.ts';
import {
  findLastLookedAt,
  getOwnItem,
  isPicture,
  type ListedResult,
  listResults,
  SEARCHED_AT_ONCE,
} from '#api/services/generations/results/results.ts';
import { presentVideo } from '#api/services/generations/results/videos.ts';
import { pickResult } from '#api/services/photos/photos.ts';
import { getOwnProduct } from '#api/services/products/products.ts';
import { lockBalance } from '#api/services/stars/ledger.ts';
import type { Photo } from '#prisma/generated/client.ts';
import type { GalleryImage } from '#shared/contract/gallery.ts';
import type { ResultName } from '#shared/contract/result-name.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { hasMarketplaceSize } from '#shared/rules/marketplaces.ts';
import { type GalleryType, listImageKinds, TOOLS } from '#shared/rules/tools.ts';

interface GalleryPage {
  cursor?: string | undefined;
  limit: number;
  type?: GalleryType | undefined;
  sort: 'newest' | 'oldest';
}

/** One page of an account's pictures in order of creation. Throws invalid_request for an invalid cursor. */
export async function listGallery(
  app: { db: Db },
  { id: accountId, premium: { isPremium } }: Pick<Caller, 'id' | 'premium'>,
  { type, cursor, sort, limit }: GalleryPage,
) {
  const kinds = listImageKinds(type);
  const results = await listResults(app.db, accountId, { kinds, cursor, sort, limit: limit + 1 });
  const { page, last } = cutPage(results, limit);
  const losses = await describeLosses(app, page);
  const named = await withNames(app.db, page);
  return {
    images: named.map((result) => ({ ...presentImage(result, isPremium), ...presentLoss(losses, result) })),
    userStatus: { canDownloadOriginals: isPremium },
    nextCursor: last?.id ?? null,
  };
}

interface ResultsPage extends Omit<GalleryPage, 'type'> {
  /** Id of a product. */
  product?: string | undefined;
  search?: string | undefined;
}

/**
 * One page of an account's pictures and videos in order of creation. In a large account the page of a search may have
 * fewer than there is room for, or none, and others after it. Throws invalid_request for an invalid cursor,
 * product_not_found, product_forbidden.
 */
export async function listAllResults(
  app: { db: Db },
  { id: accountId, premium: { isPremium } }: Pick<Caller, 'id' | 'premium'>,
  { product, search, cursor, sort, limit }: ResultsPage,
  lookedAt = SEARCHED_AT_ONCE,
) {
  if (product !== undefined) await getOwnProduct(app.db, accountId, product);
  const found = { productId: product, words: splitSearch(search), lookedAt };
  const results = await listResults(app.db, accountId, {
    kinds: GENERATION_KINDS,
    found,
    cursor,
    sort,
    limit: limit + 1,
  });
  const { page, last } = cutPage(results, limit);
  const isSearchUnfinished = last === undefined && found.words.length > 0;
  const lastLookedAt = isSearchUnfinished ? await findLastLookedAt(app.db, accountId, { found, cursor, sort }) : null;
  const losses = await describeLosses(app, page);
  const named = await withNames(app.db, page);
  return {
    items: named.map((result) => {
      const loss = presentLoss(losses, result);
      // A video's own list says when it was started. Here the order and the time agree.
      const createdAt = result.createdAt.toISOString();
      return isPicture(result)
        ? { kind: 'image' as const, image: { ...presentImage(result, isPremium), ...loss } }
        : { kind: 'video' as const, video: { ...presentVideo(result, isPremium), createdAt, ...loss } };
    }),
    userStatus: { canDownloadOriginals: isPremium },
    nextCursor: last?.id ?? lastLookedAt,
  };
}

function presentImage(result: ListedResult & { name: ResultName }, isPremium: boolean): GalleryImage {
  const { gallery } = TOOLS[result.kind];
  if (gallery.tab !== 'images') throw new Error(`${result.id} is a ${result.kind}, which is no image`);
  const address = `/media/results/${result.generationId}/${result.position}`;
  return {
    id: result.id,
    generationId: result.generationId,
    ...result.name,
    imageUrl: `${address}/image`,
    displayUrl: `${address}/poster`,
    thumbnailUrl: `${address}/thumbnail`,
    originalImageUrl: `${address}/image`,
    downloadUrl: `${address}/image`,
    createdAt: result.createdAt.toISOString(),
    generationType: gallery.type,
    made: madeOf(result),
    metadata: result.kind === 'photosession' ? { photoshootSessionId: result.generationId } : {},
    canDownload: isPremium,
    isOptimized: isPremium && hasMarketplaceSize(result),
    width: result.width,
    height: result.height,
    bytes: result.bytes,
    hasWatermark: !isPremium,
    hasDrifted: result.hasDrifted,
  };
}

/**
 * Makes a photo of an image, as input for a tool, even if its owner may not download the original. The photo refers to
 * the image, so its owner never sees more of the one than of the other. Throws ITEM_REFUSALS, result_lost.
 */
export async function pickItem(app: AppContext, accountId: number, id: string): Promise<Photo> {
  const result = await getOwnItem(app.db, accountId, id);
  if (!isPicture(result)) throw new AppError('image_not_found');
  if (await reviewResult(app, result)) throw new AppError('result_lost');
  return app.db.$transaction(async (tx) => {
    await lockBalance(tx, accountId);
    // Nobody removes the product from here on.
    const { productId } = await getOwnItem(tx, accountId, id);
    return pickResult(tx, { ...result, productId });
  });
}
