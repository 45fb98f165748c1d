import type { AppContext, WithDb } from '#api/services/app-context.ts';
import type { RecordedFile } from '#api/services/core/stored-file.ts';
import { reviewResult } from '#api/services/generations/results/lost-results.ts';
import { listPhotoFiles } from '#api/services/photos/photo-files.ts';
import type { Result } from '#prisma/generated/client.ts';

/** A file that a row names and the storage does not have as it was stored. */
export interface MissingFile {
  key: string;
  accountId: number;
  isBroken: boolean;
  /** Null for a file of a photo. */
  result: Result | null;
}

type NamedFile = RecordedFile & Pick<MissingFile, 'result'>;

const ACCOUNTS_READ_AT_ONCE = 500;
/** A storage elsewhere answers after some milliseconds. */
const ACCOUNTS_COMPARED_AT_ONCE = 8;
/** Losses that one night marks. So many at once are an accident that somebody should look at first. */
const MARKED_AT_ONCE = 1_000;

/**
 * Compares the files of photos and results with their rows, account by account. Lists the files of each account and
 * asks for single ones only where one seems to be missing, so it is cheap on S3, too. Copies with the logo are left
 * out: they are made anew when somebody asks for them. Changes nothing. Throws StorageUnavailableError.
 */
export async function* findMissingFiles(
  app: Pick<AppContext, 'db' | 'storage'>,
  signal?: AbortSignal,
): AsyncGenerator<MissingFile> {
  for (let after = 0; ; ) {
    const accounts = await listAccountsWithFiles(app, after);
    for (let first = 0; first < accounts.length; first += ACCOUNTS_COMPARED_AT_ONCE) {
      signal?.throwIfAborted();
      const group = accounts.slice(first, first + ACCOUNTS_COMPARED_AT_ONCE);
      yield* (await Promise.all(group.map(({ id }) => compareAccount(app, id)))).flat();
    }
    const last = accounts.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/**
 * Marks results as lost whose originals are missing or broken, so that their owners see it before they ask for the
 * file. Throws StorageUnavailableError.
 */
export async function markMissingResults(app: AppContext, signal?: AbortSignal): Promise<void> {
  let marked = 0;
  for await (const { key, result } of findMissingFiles(app, signal)) {
    if (!result || result.lostAt || key !== result.originalKey) continue;
    if (await reviewResult(app, result)) marked++;
    if (marked >= MARKED_AT_ONCE) break;
  }
  if (marked > 0) app.log.error({ action: 'results_lost', marked }, 'results without their files were found');
}

/** The next accounts. Two conditions joined by «or» would read all photos and results for each of these pages. */
function listAccountsWithFiles({ db }: WithDb, after: number): Promise<{ id: number }[]> {
  return db.$queryRaw`
    select id from accounts
    where id > ${after} and erased_at is null and exists (
      select from (
        select from photos where account_id = accounts.id union all select from results where account_id = accounts.id
      ) as files
    )
    order by id limit ${ACCOUNTS_READ_AT_ONCE}`;
}

async function compareAccount(app: Pick<AppContext, 'db' | 'storage'>, accountId: number): Promise<MissingFile[]> {
  // Rows first: their files are older than they are. A file that comes later belongs to none of them.
  const photos = await app.db.photo.findMany({ where: { accountId } });
  const results = await app.db.result.findMany({ where: { accountId } });
  const named: NamedFile[] = [
    ...photos.flatMap((photo) => listPhotoFiles(photo).map((file) => ({ ...file, result: null }))),
    ...results.flatMap((result) => [
      { key: result.originalKey, bytes: result.bytes, result },
      { key: result.posterKey, bytes: result.posterBytes, result },
      { key: result.thumbnailKey, bytes: result.thumbnailBytes, result },
    ]),
  ];
  const listed = await listSizes(app, accountId);
  const missing: MissingFile[] = [];
  for (const { key, bytes, result } of named) {
    // Files of a merged account keep the folder of the account that it was, so a listing does not prove an absence.
    const stored = listed.get(key) ?? (await app.storage.findSize(key));
    const isBroken = stored !== null && stored !== (bytes ?? stored);
    if (stored === null || isBroken) missing.push({ key, accountId, isBroken, result });
  }
  return missing;
}

async function listSizes({ storage }: Pick<AppContext, 'storage'>, accountId: number): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const folder of [`photos/${accountId}/`, `results/${accountId}/`]) {
    for await (const { key, bytes } of storage.list(folder)) sizes.set(key, bytes);
  }
  return sizes;
}
