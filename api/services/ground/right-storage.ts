import { randomUUID } from 'node:crypto';
import { ObjectNotFoundError, StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import type { Db } from '#api/db.ts';
import type { AppContext } from '#api/services/app-context.ts';
import type { Installation } from '#prisma/generated/client.ts';

/**
 * The file in the storage with the id of the installation, which the database has as well. A disk that is mounted in
 * the wrong place or not at all does not have it, and the storage of another installation has another id.
 */
export const MARKER_KEY = 'podium-installation.txt';
/** Files of each kind, from each end, that are looked for before a storage without a marker gets one. */
const SAMPLE_SIZE = 5;

type Sources = Pick<AppContext, 'db' | 'storage'>;

/** How many questions of checks each database has not answered yet. */
const openQuestions = new WeakMap<Db, number>();

/**
 * Checks that the storage can be written to and is the one of this database. The first check of an installation, or the
 * first after an upgrade, marks the storage. Throws StorageFullError, and StorageUnavailableError, whose cause says
 * what to do.
 */
export async function proveStorage(app: Pick<AppContext, 'db' | 'state' | 'storage'>): Promise<void> {
  await app.storage.check();
  const own = app.state.installation ?? (await ensureInstallation(app));
  const fault = await findFault(app, own);
  if (fault) throw new StorageUnavailableError(new Error(fault));
  if (own.storageMarkedAt) app.state.installation = own;
  else await markStorage(app);
}

/** The same for whoever may rely on a check of the last seconds. */
export function assertRightStorage(app: Pick<AppContext, 'db' | 'state' | 'storage'>): Promise<void> {
  return app.state.storageProof.run(() => proveStorage(app));
}

/**
 * For whoever only reads: that the storage can be read and is the one of this database. A full one is. Throws
 * StorageUnavailableError.
 */
export async function assertReadableStorage(app: Pick<AppContext, 'db' | 'state' | 'storage'>): Promise<void> {
  const fault = app.state.installation ? await findFault(app, app.state.installation) : await findStorageFault(app);
  if (fault) throw new StorageUnavailableError(new Error(fault));
}

/** Whether a check is waiting for the database, so that its silence says nothing about the storage. */
export function isProofWaitingFor(db: Db): boolean {
  return (openQuestions.get(db) ?? 0) > 0;
}

/** For a start, which goes on without its storage. Writes to the log what is wrong with it. */
export async function reportWrongStorage(app: Pick<AppContext, 'db' | 'log' | 'state' | 'storage'>): Promise<void> {
  await proveStorage(app).catch((err: unknown) =>
    app.log.error({ err }, 'the storage cannot be used; uploads and starts are refused'),
  );
}

/**
 * Why the storage is not the one of this database, and what to do. Null when it is or can become it. Changes nothing.
 */
export async function findStorageFault(sources: Sources): Promise<string | null> {
  return findFault(sources, await sources.db.installation.findFirst());
}

/** Makes the storage the one of this database, whatever is in it. */
export async function markStorage(sources: Sources): Promise<void> {
  const { id } = await ensureInstallation(sources);
  await sources.storage.put(MARKER_KEY, Buffer.from(`${id}\n`), 'text/plain');
  // Last, so that a process that is killed in between leaves work for the next one, and no fault.
  await ask(sources, (db) => db.installation.updateMany({ data: { storageMarkedAt: new Date() } }));
}

/** The id in the storage. Null when it has none. */
export async function readMarker({ storage }: Pick<AppContext, 'storage'>): Promise<string | null> {
  try {
    return (await storage.read(MARKER_KEY)).toString().trim();
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return null;
    throw error;
  }
}

/** Processes that start at once agree on one id, because the table takes one row. */
function ensureInstallation(sources: Pick<AppContext, 'db'>): Promise<Installation> {
  return ask(sources, async (db) => {
    const known = await db.installation.findFirst();
    if (known) return known;
    await db.installation.createMany({ data: [{ id: randomUUID() }], skipDuplicates: true });
    return db.installation.findFirstOrThrow();
  });
}

async function ask<T>({ db }: Pick<AppContext, 'db'>, question: (db: Db) => Promise<T>): Promise<T> {
  const count = (change: number) => openQuestions.set(db, (openQuestions.get(db) ?? 0) + change);
  count(1);
  try {
    return await question(db);
  } finally {
    count(-1);
  }
}

async function findFault(sources: Sources, own: Installation | null): Promise<string | null> {
  const marker = await readMarker(sources);
  if (marker === null) {
    if (own?.storageMarkedAt) return describeFault(`it has no ${MARKER_KEY}`, own);
    if (await holdsOurFiles(sources)) return null;
    return describeFault('most of the files that the database names are not in it', own);
  }
  if (marker === own?.id) return null;
  return describeFault(`its ${MARKER_KEY} names another installation`, own);
}

function describeFault(fact: string, own: Installation | null): string {
  const remedy = own ? `write ${own.id} into its ${MARKER_KEY}` : `remove its ${MARKER_KEY}`;
  return (
    `The storage is not the one of this database: ${fact}. Is its disk mounted, and do DATA_DIR and S3_… name the ` +
    `right one? If it is the right one all the same, for example a new one after a loss, ${remedy}`
  );
}

/** Whether at least half of a sample is there. True without any files. */
async function holdsOurFiles(sources: Sources): Promise<boolean> {
  const keys = await ask(sources, sampleKeys);
  let found = 0;
  for (const key of keys) if ((await sources.storage.findSize(key)) !== null) found++;
  return found * 2 >= keys.size;
}

async function sampleKeys(db: Db): Promise<Set<string>> {
  const keys = new Set<string>();
  // Rows of an erased account stay without their files.
  const kept = { account: { erasedAt: null } };
  for (const end of ['asc', 'desc'] as const) {
    const sample = { orderBy: { id: end }, take: SAMPLE_SIZE };
    const results = await db.result.findMany({ ...sample, where: { ...kept, deletedAt: null, lostAt: null } });
    for (const { originalKey } of results) keys.add(originalKey);
    // A picked result has no file of its own.
    const photos = await db.photo.findMany({ ...sample, where: { ...kept, resultId: null } });
    for (const { masterKey } of photos) if (masterKey !== null) keys.add(masterKey);
  }
  return keys;
}
