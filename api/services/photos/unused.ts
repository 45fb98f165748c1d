import type { Db } from '#api/database/database.ts';
import { selectFields } from '#api/database/select-fields.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { type Photo, Prisma } from '#prisma/generated/client.ts';
import { UNCONFIRMED_KEPT_MS } from '#shared/rules/retention.ts';
import { listPhotoKeys } from './photo-files.ts';
import { removeStoredFiles } from './photos.ts';

const REMOVED_AT_ONCE = 100;

/** No generation was made from it, and no batch has it. */
const IS_UNUSED = Prisma.sql`not exists (select from generation_inputs where photo_id = photos.id)
  and not exists (select from batch_rows where photo_id = photos.id)
  and not exists (select from batches where person_photo_id = photos.id)`;

type UnusedPhoto = Pick<Photo, 'id' | 'masterKey' | 'previewKey' | 'thumbnailKey' | 'maskKey'>;

/**
 * Removes photos without a generation that were uploaded more than a week ago by an account that has not confirmed its
 * e-mail, and results that were picked as photos so long ago: they can be picked again. Other photos stay until their
 * owner deletes them. Returns how many were removed. Rows are removed first: the database protects a row that a
 * generation has begun to use, and the sweep removes files that a killed process leaves behind.
 */
export async function removeUnusedPhotos(app: AppContext): Promise<number> {
  const before = new Date(Date.now() - UNCONFIRMED_KEPT_MS);
  let removed = 0;
  for (let last: string | null = null; ; ) {
    const photos = await listUnusedPhotos(app.db, before, last);
    for (const photo of photos) {
      const count = await app.db.$executeRaw`
        delete from photos where id = ${photo.id}::uuid
          and ${IS_UNUSED}`;
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
    where created_at < ${before} ${isNext} and ${IS_UNUSED}
      and (result_id is not null or account_id in (
        select id from accounts where email is not null and email_verified_at is null
      ))
    order by id limit ${REMOVED_AT_ONCE}`;
}
