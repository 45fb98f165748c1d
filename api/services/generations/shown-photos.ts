import type { AppContext } from '#api/services/app-context.ts';
import { refuseUnknown } from '#api/services/ground/ownership.ts';
import { findOwnFiles } from '#api/services/photos/photo-files.ts';
import type { Photo, Result } from '#prisma/generated/client.ts';
import { DELETED_KEPT_MS } from '#shared/rules/retention.ts';
import { withResultFiles } from './lost-results.ts';
import { selectImageKey, selectPosterKey, selectThumbnailKey } from './results.ts';

/** A size in which an owner sees a photo. */
export type ShownSize = 'master' | 'preview' | 'thumbnail';

const OWN_KEYS = { master: 'masterKey', preview: 'previewKey', thumbnail: 'thumbnailKey' } as const;
const SELECT_RESULT_KEY = { master: selectImageKey, preview: selectPosterKey, thumbnail: selectThumbnailKey };

/**
 * Does something with the file of a photo that its owner may see now. Every way out of the service asks here: a picked
 * result gives no more than the result itself gives this owner at this moment, and nothing once it is deleted for good.
 * Throws photo_not_found, and what withResultFiles throws.
 */
export async function withShownPhoto<T>(
  app: AppContext,
  photo: Photo,
  { size, isPremium }: { size: ShownSize; isPremium: boolean },
  use: (key: string) => Promise<T>,
): Promise<T> {
  const own = findOwnFiles(photo);
  if (own) return use(own[OWN_KEYS[size]]);
  const result = photo.resultId === null ? null : await app.db.result.findUnique({ where: { id: photo.resultId } });
  if (!result || isGone(result)) return refuseUnknown('photo');
  return withResultFiles(app, result, async (known) => use(await SELECT_RESULT_KEY[size](app, known, isPremium)));
}

/** Deleted so long ago that it cannot be restored, or removed by an administrator. */
function isGone({ deletedAt }: Pick<Result, 'deletedAt'>): boolean {
  return deletedAt !== null && deletedAt.getTime() < Date.now() - DELETED_KEPT_MS;
}
