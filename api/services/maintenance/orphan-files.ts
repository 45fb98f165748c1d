import { PROBE_FOLDER, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { isUuid } from '#api/platform/uuid.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { assertHoldsOurFiles } from '#api/services/core/storage-sample.ts';

/**
 * Files are stored before the row that names them. A younger file may still get its row: an upload takes minutes, a
 * late result up to three hours.
 */
const ORPHAN_MIN_AGE_MS = 24 * 60 * 60_000;
const LOOKED_UP_AT_ONCE = 200;
/**
 * Killed processes and failed removals leave a few. What is deleted or erased takes its files along, so a large
 * installation leaves hardly more. Above both limits they are the files of another installation.
 */
const FEW_ORPHANS = 20;
const SMALL_SHARE = 0.02;

/** The owner of a stored file: a photo, a generation and the number of its output, a pack, or a check of the storage. */
interface FileOwner {
  key: string;
  id: string;
  position: number;
}

/**
 * Removes stored files without a row. A process that is killed between storing and writing the row leaves them. Those of
 * another installation in the same storage look alike, so nothing is removed when they are more than a few. Throws
 * StorageUnavailableError, whose cause says what to do.
 */
export async function removeOrphanFiles(app: AppContext, signal?: AbortSignal): Promise<void> {
  await assertHoldsOurFiles(app);
  const before = Date.now() - ORPHAN_MIN_AGE_MS;
  const orphans: string[] = [];
  let owned = 0;
  for (const { folder, shape, findOrphans } of KINDS) {
    let batch: FileOwner[] = [];
    const flush = async () => {
      const found = await findOrphans(app, batch);
      for (const { key } of found) orphans.push(key);
      owned += batch.length - found.length;
      batch = [];
    };
    for await (const { key, modifiedAt } of app.storage.list(folder)) {
      signal?.throwIfAborted();
      const [, id = '', position = '0'] = shape.exec(key) ?? [];
      if (modifiedAt.getTime() > before || !isUuid(id)) continue;
      batch.push({ key, id, position: Number(position) });
      if (batch.length >= LOOKED_UP_AT_ONCE) await flush();
    }
    await flush();
  }
  if (orphans.length > Math.max(FEW_ORPHANS, owned * SMALL_SHARE)) {
    const fact = `${orphans.length} files have no row, such as ${orphans[0]}, and ${owned} have one. None was removed`;
    const advice =
      'If another installation uses this storage, give each a bucket or a folder of its own. If none does, remove them ' +
      'by hand (after many interrupted uploads, for example)';
    throw new StorageUnavailableError(new Error(`${fact}. ${advice}`));
  }
  for (const key of orphans) {
    signal?.throwIfAborted();
    await app.storage.remove(key);
  }
  app.log.info({ removed: orphans.length }, 'files without a row removed');
}

const KINDS = [
  { folder: 'photos/', shape: /^photos\/\d+\/([^/]+)\/[^/]+$/, findOrphans: findPhotoOrphans },
  { folder: 'results/', shape: /^results\/\d+\/([^/]+)\/(\d{1,2})\/[^/]+$/, findOrphans: findResultOrphans },
  { folder: 'packs/', shape: /^packs\/\d+\/([^/]+)\/[^/]+$/, findOrphans: findPackOrphans },
  { folder: PROBE_FOLDER, shape: /^[^/]+\/([^/]+)(?:\/[^/]+)?$/, findOrphans: findProbes },
];

/** The rows of an erased account stay for the books; their files do not. */
const ofLivingAccount = { account: { erasedAt: null } };

async function findProbes(_app: AppContext, files: FileOwner[]): Promise<FileOwner[]> {
  return files;
}

/**
 * Finds photos by the folder of their files, which is not named after the row. The expression is that of the index in
 * the migrations.
 */
async function findPhotoOrphans(app: AppContext, files: FileOwner[]): Promise<FileOwner[]> {
  const photos = await app.db.$queryRaw<{ keys: string[] }[]>`
    select array_remove(array[master_key, preview_key, thumbnail_key, mask_key], null) as keys
    from photos join accounts on accounts.id = photos.account_id and accounts.erased_at is null
    where split_part(master_key, '/', 3) = any(${files.map(({ id }) => id)})`;
  const known = new Set(photos.flatMap(({ keys }) => keys));
  return files.filter(({ key }) => !known.has(key));
}

async function findResultOrphans(app: AppContext, files: FileOwner[]): Promise<FileOwner[]> {
  const results = await app.db.result.findMany({
    where: { generationId: { in: files.map(({ id }) => id) }, ...ofLivingAccount },
    select: { generationId: true, position: true },
  });
  const known = new Set(results.map(({ generationId, position }) => `${generationId}/${position}`));
  return files.filter(({ id, position }) => !known.has(`${id}/${position}`));
}

async function findPackOrphans(app: AppContext, files: FileOwner[]): Promise<FileOwner[]> {
  const packs = await app.db.pack.findMany({ where: { id: { in: files.map(({ id }) => id) } }, select: { id: true } });
  const known = new Set(packs.map(({ id }) => id));
  return files.filter(({ id }) => !known.has(id));
}
