import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';

/** The oldest results, because files that are put into a wrong storage by mistake are all young. */
const SAMPLE_SIZE = 20;
/** Fewer missing files are losses of their own, and what they give back is little. */
const MIN_MISSING = 5;

type Sources = Pick<AppContext, 'db' | 'storage'>;

/**
 * What to tell the operator when most of a sample of results have no file: a disk that is not mounted, a mistyped
 * bucket, or a large loss. Null otherwise. Throws StorageUnavailableError.
 */
export async function findStorageFault({ db, storage }: Sources): Promise<string | null> {
  const sample = await db.result.findMany({
    where: { account: { erasedAt: null }, deletedAt: null, lostAt: null },
    select: { originalKey: true },
    orderBy: { id: 'asc' },
    take: SAMPLE_SIZE,
  });
  const sizes = await Promise.all(sample.map(({ originalKey }) => storage.findSize(originalKey)));
  const missing = sizes.filter((size) => size === null).length;
  if (missing < MIN_MISSING || missing * 2 <= sample.length) return null;
  return (
    `${missing} of the ${sample.length} oldest results have no file in ${storage.name}, so it is hardly the storage of ` +
    'this database. Is its disk mounted, and do DATA_DIR and S3_… name the right one? After a large loss copy the files ' +
    'from a backup, or see «Where files are» in docs/operating.md'
  );
}

/**
 * For whoever is about to take a missing file for lost, or to remove files: a wrong storage must cost nothing. Relies
 * on a look of the last seconds. Throws StorageUnavailableError, whose cause says what to do.
 */
export function assertHoldsOurFiles(app: Pick<AppContext, 'db' | 'state' | 'storage'>): Promise<void> {
  return app.state.storageSample.run(async () => {
    const fault = await findStorageFault(app);
    if (fault) throw new StorageUnavailableError(new Error(fault));
  });
}
