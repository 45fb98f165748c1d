import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { findFreeBytes } from '#api/adapters/storage/find-free-bytes.ts';
import { PROBE_FOLDER, StorageFullError } from '#api/adapters/storage/object-storage.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { RESERVED_BYTES, SCARCE_BYTES } from '#api/services/core/storage-room.ts';
import { findStorageFault } from '#api/services/core/storage-sample.ts';
import { findMissingFiles } from '#api/services/maintenance/missing-files.ts';
import { failed, ok, type Verdict, warning } from './finding.ts';

const GIGABYTE = 1024 ** 3;
const NAMED_FILES = 5;
/** Between two looks at one disk the space hardly changes. */
const ANOTHER_DISK_BYTES = GIGABYTE / 10;

type Sources = Pick<AppContext, 'db' | 'storage'>;

/**
 * Writes, measures, reads and removes a small file, and lists. When this process is killed in between, the nightly
 * sweep removes the file.
 */
export async function checkStorage(storage: AppContext['storage']): Promise<Verdict> {
  const key = `${PROBE_FOLDER}${randomUUID()}`;
  const content = Buffer.from('podium probes its storage');
  await storage.put(key, content, 'application/octet-stream');
  try {
    if ((await storage.findSize(key)) !== content.length) return failed('a stored file has another size');
    if (!(await buffer(await storage.open(key))).equals(content)) return failed('a stored file has another content');
    const part = await buffer(await storage.open(key, { start: 7, end: 12 }));
    if (!part.equals(content.subarray(7, 13)))
      return failed('it does not answer ranges, so videos cannot be skipped through');
    for await (const _ of storage.list(PROBE_FOLDER));
  } finally {
    await storage.remove(key);
  }
  if ((await storage.findSize(key)) !== null)
    return failed('a removed file is still there. May the key remove objects?');
  return ok(`${storage.name}: a file was written, read and removed, and listing works`);
}

/** The setting behind each refusal of S3, by its code. */
const S3_ADVICE: Record<string, string> = {
  NoSuchBucket: 'Make the bucket, or correct S3_BUCKET.',
  InvalidAccessKeyId: 'Correct S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Correct S3_SECRET_ACCESS_KEY (or S3_REGION).',
  AuthorizationHeaderMalformed: 'Correct S3_REGION.',
  AccessDenied: 'Let the key of S3_ACCESS_KEY_ID read, write, remove and list in S3_BUCKET.',
  RequestTimeTooSkewed: 'The clock of this machine or of the storage is wrong: take the time from the network (NTP).',
};

/** What to change when the storage has failed like this. */
export function adviseOnStorage({ s3 }: Pick<AppContext['config'], 's3'>): (error: unknown) => string {
  return (error) => {
    if (!s3) return 'Look at the folder of DATA_DIR: is its disk mounted, and does this user own it?';
    if (error instanceof StorageFullError) return 'Raise the quota of the bucket (S3_BUCKET), or make room in it.';
    const causes = [error, (error as Error | undefined)?.cause];
    const known = causes.map((one) => one instanceof Error && S3_ADVICE[one.name]).find(Boolean);
    return known || 'Look at S3_ENDPOINT: is its address right, and can this machine reach it?';
  };
}

/**
 * Whether the storage is the one of this database, and every file that a row names is there and whole. Results that are
 * known as lost are only counted.
 */
export async function checkFiles(sources: Sources): Promise<Verdict[]> {
  const fault = await findStorageFault(sources);
  if (fault !== null) return [failed(fault)];
  const [missing, broken, known]: [string[], string[], Set<string>] = [[], [], new Set()];
  for await (const { key, isBroken, result } of findMissingFiles(sources)) {
    if (result?.lostAt) known.add(result.id);
    else (isBroken ? broken : missing).push(key);
  }
  const verdicts = [
    ...tell(missing, 'that rows name are missing'),
    ...tell(broken, 'have another size than they were stored with'),
  ];
  if (known.size > 0) {
    const text = `${known.size} results are known as lost, and their owners see it. A file that is copied back is found`;
    verdicts.push(warning(`${text} by the hourly clean-up`));
  }
  return verdicts.length > 0 ? verdicts : [ok('all that photos and results name are in the storage')];
}

function tell(keys: string[], what: string): Verdict[] {
  if (keys.length === 0) return [];
  const named = keys.slice(0, NAMED_FILES).join(', ') + (keys.length > NAMED_FILES ? ' …' : '');
  return [failed(`${keys.length} ${what}: ${named}. Copy them from a backup (files/…) into the storage`)];
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
 * Whether this user and nobody else may read the secrets of DATA_DIR, and whether one of them is used where processes
 * on other machines could need the same.
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
