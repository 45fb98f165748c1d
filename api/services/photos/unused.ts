import type { Db, Tx } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Photo } from '#prisma/generated/client.ts';
import { removeStoredFiles } from './photos.ts';

/** Drafts refer to their photo. A photo without a generation for this long counts as abandoned. */
const UNUSED_KEPT_MS = 7 * 24 * 60 * 60_000;
const REMOVED_AT_ONCE = 100;
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';

/**
 * Removes photos without a generation that were uploaded more than a week ago. Returns how many. Rows are removed
 * first: the database protects a row that a generation has begun to use, and the sweep removes files that a killed
 * process leaves behind.
 */
export async function removeUnusedPhotos(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - UNUSED_KEPT_MS);
  let removed = 0;
  for (let after = BEFORE_ALL_IDS; ; ) {
    const photos = await listUnusedPhotos(app.db, { before, after });
    const last = photos.at(-1);
    if (!last) return removed;
    after = last.id;
    for (const { id, masterKey, previewKey, thumbnailKey } of photos) {
      const count = await app.db.$executeRaw`
        delete from photos where id = ${id}::uuid
          and not exists (select from generation_inputs where photo_id = photos.id)`;
      if (count === 0) continue;
      await removeStoredFiles(app, [masterKey, previewKey, thumbnailKey]);
      removed++;
    }
  }
}

/**
 * The next unused photos after an id that are old enough. The query follows two indexes side by side, of the photos and
 * of the inputs by photo. The second bound makes both begin at the same place.
 */
export function listUnusedPhotos(
  db: Db | Tx,
  { before, after }: { before: Date; after: string },
): Promise<Pick<Photo, 'id' | 'masterKey' | 'previewKey' | 'thumbnailKey'>[]> {
  return db.$queryRaw`
    select id, master_key as "masterKey", preview_key as "previewKey", thumbnail_key as "thumbnailKey" from photos
    where created_at < ${before} and id > ${after}::uuid
      and not exists (select from generation_inputs where photo_id = photos.id and photo_id > ${after}::uuid)
    order by id limit ${REMOVED_AT_ONCE}`;
}
