import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { RESERVED_BYTES, SCARCE_BYTES } from '#api/services/ground/storage-room.ts';
import { failed, ok, type Verdict, warning } from './finding.ts';

const GIGABYTE = 1024 ** 3;
const ROWS_AT_ONCE = 50;
const NAMED_FILES = 5;
/** Between two looks at one disk the space hardly changes. */
const ANOTHER_DISK_BYTES = GIGABYTE / 10;

/**
 * Writes, measures, reads and removes a small file, and lists. The file is in no folder, because on a disk its folder would
 * stay behind; so the folder that is listed is an empty one.
 */
export async function checkStorage(storage: AppContext['storage']): Promise<Verdict> {
  const key = `doctor-${randomUUID()}.bin`;
  const content = Buffer.from('podium probes its storage');
  await storage.put(key, content, 'application/octet-stream');
  try {
    if ((await storage.findSize(key)) !== content.length) return failed('a stored file has another size');
    if (!(await buffer(await storage.open(key))).equals(content)) return failed('a stored file has another content');
    const part = await buffer(await storage.open(key, { start: 7, end: 12 }));
    if (!part.equals(content.subarray(7, 13)))
      return failed('it does not answer ranges, so videos cannot be skipped through');
    for await (const _ of storage.list('doctor/'));
  } finally {
    await storage.remove(key);
  }
  if ((await storage.findSize(key)) !== null)
    return failed('a removed file is still there. May the key remove objects?');
  return ok(`${storage.name}: a file was written, read and removed, and listing works`);
}

interface NamedFile {
  key: string;
  /** The size that the file must have. Absent when nobody knows it. */
  bytes?: number;
}

/** Whether every file that a row names is there and whole. Looks at many at a time, because a storage elsewhere is slow. */
export async function checkFiles({ db, storage }: Pick<AppContext, 'db' | 'storage'>): Promise<Verdict[]> {
  let looked = 0;
  const missing: string[] = [];
  const broken: string[] = [];
  for await (const files of listNamedFiles(db)) {
    const sizes = await Promise.all(files.map(({ key }) => storage.findSize(key)));
    looked += files.length;
    for (const [index, { key, bytes }] of files.entries()) {
      if (sizes[index] === null) missing.push(key);
      else if (bytes !== undefined && sizes[index] !== bytes) broken.push(key);
    }
  }
  if (missing.length + broken.length === 0) return [ok(`all ${looked} that rows name are in the storage`)];
  const tell = (keys: string[], what: string) => {
    if (keys.length === 0) return [];
    const named = keys.slice(0, NAMED_FILES).join(', ') + (keys.length > NAMED_FILES ? ' …' : '');
    return [
      failed(`${keys.length} of ${looked} ${what}: ${named}. Copy them from a backup (files/…) into the storage`),
    ];
  };
  return [...tell(missing, 'are missing'), ...tell(broken, 'have another size than they were stored with')];
}

/** In groups. Marked thumbnails are made again when they are missing. */
async function* listNamedFiles(db: AppContext['db']): AsyncGenerator<NamedFile[]> {
  const photo = { id: true, masterKey: true, previewKey: true, thumbnailKey: true } as const;
  yield* groupFiles((after) => db.photo.findMany({ ...pageAfter(after), select: photo }));
  const result = {
    ...{ id: true, originalKey: true, bytes: true, watermarkedKey: true },
    ...{ posterKey: true, watermarkedPosterKey: true, thumbnailKey: true },
  } as const;
  yield* groupFiles((after) => db.result.findMany({ ...pageAfter(after), select: result }));
}

function pageAfter(after: string | undefined) {
  return { orderBy: { id: 'asc' }, take: ROWS_AT_ONCE, ...(after ? { where: { id: { gt: after } } } : {}) } as const;
}

/** `bytes` is the size of the original. */
type RowWithKeys = { id: string; bytes?: number } & { [name in `${string}Key`]: string | null };

async function* groupFiles(
  findPage: (after: string | undefined) => Promise<RowWithKeys[]>,
): AsyncGenerator<NamedFile[]> {
  for (let page = await findPage(undefined); page.length > 0; page = await findPage(page.at(-1)?.id)) {
    yield page.flatMap(({ id: _, bytes, ...keys }) =>
      Object.entries(keys)
        .filter((entry): entry is [string, string] => entry[1] !== null)
        .map(([name, key]) => (name === 'originalKey' && bytes !== undefined ? { key, bytes } : { key })),
    );
  }
}

/** On the disk of DATA_DIR and in the storage. */
export async function checkSpace({ config, storage }: Pick<AppContext, 'config' | 'storage'>): Promise<Verdict[]> {
  const stored = await storage.findFreeBytes();
  const places: [string, number][] = [['the disk of DATA_DIR', await findFreeBytes(config.dataDir)]];
  if (stored !== null && Math.abs(stored - (places[0]?.[1] ?? 0)) > ANOTHER_DISK_BYTES)
    places.push(['the storage', stored]);
  return places.map(([place, bytes]) => {
    const text = `${(bytes / GIGABYTE).toFixed(1)} GB left on ${place}`;
    if (bytes < RESERVED_BYTES) return failed(`${text}. Make room: generations are refused`);
    return bytes < SCARCE_BYTES ? warning(`${text}. Make room before generations are refused`) : ok(text);
  });
}

/**
 * Whether this user and nobody else may read the secrets of DATA_DIR, and whether one of them is used where processes on
 * other machines could need the same.
 */
export async function checkSecrets(config: AppContext['config']): Promise<Verdict[]> {
  if (process.platform === 'win32') return [];
  const folder = path.join(config.dataDir, 'secrets');
  // Secrets may all come from the environment.
  const names = existsSync(folder) ? await readdir(folder) : [];
  const open: string[] = [];
  const unreadable: string[] = [];
  for (const name of names) {
    const file = path.join(folder, name);
    if ((await stat(file)).mode & 0o077) open.push(name);
    await readFile(file).catch(() => unreadable.push(name));
  }
  const verdicts: Verdict[] = [];
  if (unreadable.length > 0) {
    verdicts.push(
      failed(
        `this user cannot read ${unreadable.join(', ')} in ${folder}. Give them to the user of the program (chown)`,
      ),
    );
  }
  if (open.length > 0)
    verdicts.push(failed(`others may read ${open.join(', ')} in ${folder}. Run chmod -R go= ${folder}`));
  const lonely = listSecretsOfFolder(config).filter(([, file]) => names.includes(file));
  if (lonely.length > 0) {
    verdicts.push(
      warning(
        `${lonely.map(([name]) => name).join(', ')}: from ${folder}. Processes on other machines need the same: set it in the environment`,
      ),
    );
  }
  return verdicts.length > 0 ? verdicts : [ok(`${names.length} in ${folder}, readable by their owner alone`)];
}

/** Secrets that the program takes from DATA_DIR although its database serves other machines as well. */
function listSecretsOfFolder({ databaseUrl, secretFiles, telegram }: AppContext['config']): [string, string][] {
  if (!databaseUrl) return [];
  return Object.entries(secretFiles).filter(
    (entry): entry is [string, string] =>
      entry[1] !== null && (entry[0] !== 'TELEGRAM_WEBHOOK_SECRET' || telegram.token !== null),
  );
}
