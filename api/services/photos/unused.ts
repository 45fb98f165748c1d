import type { Db, Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Photo } from '#prisma/generated/client.ts';
import { listPhotoKeys } from './photo-files.ts';
import { removeStoredFiles } from './photos.ts';

/** Drafts refer to their photo. A photo without a generation for this long counts as abandoned. */
const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

/**
 * Removes photos without a generation that were uploaded more than a week ago. Returns how many. Rows are removed
 * first: the database protects a row that a generation has begun to use, and the sweep removes files that a killed
 * process leaves behind.
 */
export async function removeUnusedPhotos(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - UNUSED_KEPT_MS);
  let removed = 0;
  for (;;) {
    const photos = await listUnusedPhotos(app.db, before);
    if (photos.length === 0) return removed;
    for (const photo of photos) {
      const { id } = photo;
      const count = await app.db.$executeRaw`
        delete from photos where id = ${id}::uuid
          and not exists (select from generation_inputs where photo_id = photos.id)`;
      if (count === 0) {
        // A generation has begun to use it.
        await app.db.unusedPhoto.deleteMany({ where: { photoId: id } });
        continue;
      }
      await removeStoredFiles(app, listPhotoKeys(photo));
      removed++;
    }
  }
}

/** The photos that have been unused for longest. */
export async function listUnusedPhotos(db: Db | Tx, before: Date): Promise<Photo[]> {
  const unused = await db.unusedPhoto.findMany({
    where: { createdAt: { lt: before } },
    orderBy: { createdAt: 'asc' },
    take: REMOVED_AT_ONCE,
    include: { photo: true },
  });
  return unused.map(({ photo }) => photo);
}
