import type { AppContext } from '#api/services/app-context.ts';
import type { Prisma } from '#prisma/generated/client.ts';
import { removeStoredFiles } from './photos.ts';

/** Drafts refer to their photo. A photo without a generation for this long counts as abandoned. */
const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/** Removes photos that were uploaded a week ago and never used. Returns how many. */
export function removeUnusedPhotos(app: AppContext): Promise<number> {
  return removeNeverUsedPhotos(app, { createdAt: { lt: new Date(Date.now() - UNUSED_KEPT_MS) } });
}

/**
 * Removes the matching photos without a generation. Returns how many. Rows first: the database protects a row that a
 * generation has begun to use, and the sweep removes files that a kill leaves behind.
 */
export async function removeNeverUsedPhotos(app: AppContext, which: Prisma.PhotoWhereInput): Promise<number> {
  let removed = 0;
  for (let after = ''; ; ) {
    const photos = await app.db.photo.findMany({
      where: { AND: [which, { generations: { none: {} } }, ...(after ? [{ id: { gt: after } }] : [])] },
      orderBy: { id: 'asc' },
      take: REMOVED_AT_ONCE,
    });
    const last = photos.at(-1);
    if (!last) return removed;
    after = last.id;
    for (const photo of photos) {
      const { count } = await app.db.photo.deleteMany({ where: { id: photo.id, generations: { none: {} } } });
      if (count === 0) continue;
      await removeStoredFiles(app, [photo.masterKey, photo.previewKey, photo.thumbnailKey]);
      removed++;
    }
  }
}
