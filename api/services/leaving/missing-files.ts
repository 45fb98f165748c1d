import type { AppContext } from '#api/services/app-context.ts';
import { reviewResult } from '#api/services/generations/lost-results.ts';

/** A file that a row names and the storage does not have. */
export interface MissingFile {
  owner: 'photo' | 'result';
  /** Of the row. */
  id: string;
  accountId: number;
  key: string;
}

const ACCOUNTS_AT_ONCE = 500;

/**
 * Compares the files of photos and results with their rows, account by account, for the operator's check of an
 * installation. Reads a listing for each account and asks for single files only where one seems to be missing, so it is
 * cheap on S3, too. Results whose original is missing are marked as lost, and those whose file is back no longer are.
 * Copies with the logo are left out: they are made anew when somebody asks for them. Throws StorageUnavailableError.
 */
export async function* findMissingFiles(app: AppContext, signal?: AbortSignal): AsyncGenerator<MissingFile> {
  for (let after = 0; ; ) {
    const accounts = await app.db.account.findMany({
      where: { id: { gt: after }, erasedAt: null },
      orderBy: { id: 'asc' },
      take: ACCOUNTS_AT_ONCE,
      select: { id: true },
    });
    for (const { id } of accounts) {
      signal?.throwIfAborted();
      yield* compareAccount(app, id);
    }
    const last = accounts.at(-1);
    if (!last) return;
    after = last.id;
  }
}

async function* compareAccount(app: AppContext, accountId: number): AsyncGenerator<MissingFile> {
  // Rows first: their files are older than they are. A file that comes later belongs to none of them.
  const photos = await app.db.photo.findMany({ where: { accountId } });
  const results = await app.db.result.findMany({ where: { accountId } });
  if (photos.length === 0 && results.length === 0) return;
  const listed = await listKeys(app, accountId);
  for (const { id, masterKey, previewKey, thumbnailKey } of photos) {
    for (const key of [masterKey, previewKey, thumbnailKey]) {
      if (await isMissing(app, listed, key)) yield { owner: 'photo', id, accountId, key };
    }
  }
  for (const result of results) {
    if (result.lostAt || !listed.has(result.originalKey)) await reviewResult(app, result);
    for (const key of [result.originalKey, result.posterKey, result.thumbnailKey]) {
      if (await isMissing(app, listed, key)) yield { owner: 'result', id: result.id, accountId, key };
    }
  }
}

async function listKeys({ storage }: AppContext, accountId: number): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const folder of [`photos/${accountId}/`, `results/${accountId}/`]) {
    for await (const { key } of storage.list(folder)) keys.add(key);
  }
  return keys;
}

/** Files of a merged account keep the folder of the account that it was, so a listing does not prove an absence. */
async function isMissing({ storage }: AppContext, listed: ReadonlySet<string>, key: string): Promise<boolean> {
  return !listed.has(key) && (await storage.findSize(key)) === null;
}
