import { AppError } from '#api/platform/errors.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { getPremiumStatus, type PremiumStatus } from '#api/services/core/premium-status.ts';
import { findName } from '#api/services/generations/results/result-names.ts';
import { getOwnImage, getOwnItem, isPicture } from '#api/services/generations/results/results.ts';
import type { Result } from '#prisma/generated/client.ts';
import { ERRORS } from '#shared/contract/errors.ts';

const IMAGE_UPGRADE_MESSAGE = 'Скачивание оригинальных изображений доступно только платным пользователям';
const UPGRADE_MESSAGE = ERRORS.premium_required.message;
const RESULT_PICTURE = /^\/media\/results\/([^/]{1,64})\/(\d{1,2})\/(?:image|poster|thumbnail)$/;

/** A download: the original of a result, or a picture of the catalogue. */
export type ImageDownload = { name: string; contentType: string } & ({ result: Result } | { content: Buffer });

export function assertMayDownload({ isPremium }: PremiumStatus, upgradeMessage: string = UPGRADE_MESSAGE): void {
  if (!isPremium) throw new AppError('premium_required', { upgradeMessage });
}

/**
 * The original of a gallery image by its id or one of its addresses, or a picture of the catalogue. An address is only
 * compared and never fetched. Throws image_url_foreign, ITEM_REFUSALS, premium_required.
 */
export async function findImageDownload(
  app: AppContext,
  accountId: number,
  wanted: { imageId: string } | { url: string },
): Promise<ImageDownload> {
  if ('imageId' in wanted) {
    const result = await getOwnItem(app.db, accountId, wanted.imageId);
    if (!isPicture(result)) throw new AppError('image_not_found');
    return offerOriginal(app, result);
  }
  const path = readOwnPath(app, wanted.url);
  const picture = app.catalogue.files.get(path);
  if (picture) return { ...picture, name: path.split('/').at(-1) ?? path };
  const [, generationId = '', position] = RESULT_PICTURE.exec(path) ?? [];
  if (!isUuid(generationId)) throw new AppError('image_url_foreign');
  const place = { generationId, position: Number(position) };
  return offerOriginal(app, await getOwnImage(app.db, accountId, place, 'image'));
}

async function offerOriginal(app: AppContext, result: Result): Promise<ImageDownload> {
  assertMayDownload(await getPremiumStatus(app, result.accountId), IMAGE_UPGRADE_MESSAGE);
  return { result, contentType: result.contentType, name: (await findName(app.db, result)).fileName };
}

/** The path of an address of this site. Throws image_url_foreign for any other. */
function readOwnPath(app: AppContext, url: string): string {
  const { origin } = new URL(app.config.publicUrl);
  const address = URL.parse(url, origin);
  if (address?.origin !== origin || address.username || address.password) throw new AppError('image_url_foreign');
  return address.pathname;
}
