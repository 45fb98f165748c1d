import type { Db } from '#api/database/database.ts';
import { selectFields } from '#api/database/select-fields.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type Photo, Prisma } from '#prisma/generated/client.ts';
import { listPhotoKeys } from './photo-files.ts';
import { removeStoredFiles } from './photos.ts';

/** Drafts refer to their photo. A photo without a generation for this long counts as abandoned. */
const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;

type UnusedPhoto = Pick<Photo, 'id' | 'masterKey' | 'previewKey' | 'thumbnailKey' | 'maskKey'>;

/**
 * Removes photos without a generation that were uploaded more than a week ago. Returns how many. Rows are removed
 * first: the database protects a row that a generation has begun to use, and the sweep removes files that a killed
 * process leaves behind.
 */
export async function removeUnusedPhotos(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - UNUSED_KEPT_MS);
  let removed = 0;
  for (let last: string | null = null; ; ) {
    const photos = await listUnusedPhotos(app.db, before, last);
    for (const photo of photos) {
      const count = await app.db.$executeRaw`
        delete from photos where id = ${photo.id}::uuid
          and not exists (select from generation_inputs where photo_id = photos.id)`;
      // A generation may have begun to use it.
      if (count === 0) continue;
      await removeStoredFiles(app, listPhotoKeys(photo));
      removed++;
    }
    last = photos.at(-1)?.id ?? null;
    if (last === null) return removed;
  }
}

function listUnusedPhotos(db: Db, before: Date, after: string | null): Promise<UnusedPhoto[]> {
  const isNext = after === null ? Prisma.empty : Prisma.sql`and id > ${after}::uuid`;
  return db.$queryRaw`
    select ${selectFields('photos', ['id', 'masterKey', 'previewKey', 'thumbnailKey', 'maskKey'])} from photos
    where created_at < ${before} ${isNext} and not exists (select from generation_inputs where photo_id = photos.id)
    order by id limit ${REMOVED_AT_ONCE}`;
}
