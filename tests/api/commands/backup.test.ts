import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStorage } from '#api/app-context.ts';
import { runBackupCommand } from '#api/commands/backup/backup.ts';
import { runRestoreCommand } from '#api/commands/backup/restore.ts';
import { listTables } from '#api/commands/backup/tables.ts';
import { readCommandConfig } from '#api/config/config.ts';
import { openExistingDatabase } from '#api/database/database.ts';
import { openQueue } from '#api/queue/queue.ts';
import { createProcessState } from '#api/services/core/process-state.ts';
import { createServerDatabase, openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { fillEveryTable, fingerprintRows } from '#tests/support/fill-every-table.ts';
import { until } from '#tests/support/until.ts';

const serverUrl = process.env.TEST_DATABASE_URL;
const SECRET = 'a-session-secret-of-thirty-two-letters';
const GENERATION = '018f5b6a-0000-7000-8000-000000000007';
const log = pino({ level: 'silent' });

let source: TestDatabase;
let folder: string;
const report = () => {};
const copy = () => path.join(folder, 'copy');

beforeAll(async () => {
  source = await openTestDatabase();
  await fillEveryTable(source.db, source.pool);
  await source.pool.query(`select setval('accounts_id_seq', 4711)`);
  const queue = await openQueue(source, { databaseUrl: source.databaseUrl, roles: [] }, log);
  await source.db.$transaction((tx) =>
    queue.send(tx, 'run-generation', { generationId: GENERATION }, { priority: 5, delaySeconds: 3600 }),
  );
  await source.db.$transaction((tx) => queue.send(tx, 'watchdog', {}));
  await queue.stop();
  for (const key of await listNamedKeys())
    await (await createStorage({ ...source, s3: null })).put(key, Buffer.from(`content of ${key}`), 'image/webp');
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-backup-'));
});
afterAll(() => source.close());

async function listNamedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for (const { name, columns } of await listTables(source.db)) {
    if (name !== 'photos' && name !== 'results') continue;
    const [row] = await source.db.$queryRawUnsafe<Record<string, string>[]>(`select * from ${name}`);
    for (const column of columns) if (column.name.endsWith('_key')) keys.push(row?.[column.name] ?? '');
  }
  return keys;
}

async function backUp(to = copy()): Promise<string> {
  const config = { adminUserIds: [3], sessionSecret: SECRET, dataDir: source.dataDir };
  const app = {
    db: source.db,
    state: createProcessState(),
    storage: await createStorage({ ...config, s3: null }),
    config,
  };
  return runBackupCommand(app, [to], report);
}

interface TargetOptions {
  kind?: 'embedded' | 'server';
  sessionSecret?: string;
}

/** An empty place to restore to. On a server, if there is one: its tables are made sooner than those of an embedded one. */
async function makeTarget({ kind = serverUrl ? 'server' : 'embedded', sessionSecret = SECRET }: TargetOptions = {}) {
  const env: Record<string, string> = { DATA_DIR: path.join(folder, 'target'), SESSION_SECRET: sessionSecret };
  if (kind === 'embedded') return readCommandConfig(env);
  const { databaseUrl } = await createServerDatabase();
  return readCommandConfig({ ...env, DATABASE_URL: databaseUrl });
}

test.each(serverUrl ? (['embedded', 'server'] as const) : (['embedded'] as const))(
  'every column of every table, the unfinished jobs and all files come back (%s)',
  async (kind) => {
    expect(await backUp()).toContain('9 files');
    const target = await makeTarget({ kind });
    const said = await runRestoreCommand(target, [copy()], report);
    expect(said).toContain('9 files, 1 jobs');
    expect(said).not.toContain('SESSION_SECRET');

    const restored = await openExistingDatabase(target, log);
    try {
      expect(await fingerprintRows(restored.db, restored.pool)).toEqual(await fingerprintRows(source.db, source.pool));
      const constraints = `select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
        where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`;
      expect((await restored.pool.query(constraints)).rows).toEqual((await source.pool.query(constraints)).rows);
      const triggers = `select tgrelid::regclass::text, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`;
      expect((await restored.pool.query(triggers)).rows).toEqual((await source.pool.query(triggers)).rows);
      const { rows: jobs } = await restored.pool.query(
        `select name, data, priority, start_after > now() + interval '50 min' as waits from pgboss.job where state = 'created'`,
      );
      const generationId = GENERATION;
      expect(jobs).toEqual([{ name: 'run-generation', data: { generationId }, priority: 5, waits: true }]);
    } finally {
      await restored.close();
    }
    for (const key of await listNamedKeys()) {
      expect(await text(await (await createStorage(target)).open(key))).toBe(`content of ${key}`);
    }
  },
);

test('a pack that is ready is not in a backup, because its file can be made again, and one that is being made is', async () => {
  const [{ id: madeId }] = (await source.db.pack.findMany({ select: { id: true } })) as [{ id: string }];
  const { id: _id, ...pack } = await source.db.pack.findUniqueOrThrow({ where: { id: madeId } });
  const facts = { status: 'ready', storageKey: 'packs/1/1.zip', bytes: 1n } as const;
  const ready = await source.db.pack.create({ data: { ...pack, ...facts, id: randomUUID() } });
  try {
    await backUp();
    const rows = readFileSync(path.join(folder, 'copy/rows/packs.jsonl'), 'utf8');
    expect(rows).toContain(madeId);
    expect(rows).not.toContain(ready.id);
  } finally {
    await source.db.pack.delete({ where: { id: ready.id } });
  }
});

test('a backup is readable by its owner alone and is never written over', async () => {
  await backUp();
  expect(statSync(path.join(folder, 'copy')).mode & 0o077).toBe(0);
  expect(statSync(path.join(folder, 'copy/rows/accounts.jsonl')).mode & 0o077).toBe(0);
  await expect(backUp()).rejects.toThrow('holds a backup');
});

test.runIf(process.platform === 'linux')('a place where no folder can be made is refused at once', async () => {
  await expect(backUp('/proc/backups/monday')).rejects.toThrow('/proc/backups');
});

test('an interrupted backup has no manifest and is refused', async () => {
  await backUp();
  rmSync(path.join(folder, 'copy/manifest.json'));
  const target = await makeTarget({ kind: 'embedded' });
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow('one that was interrupted');
  await expect(backUp()).rejects.toThrow('an unfinished backup');
  expect(existsSync(target.dataDir)).toBe(false);
});

test.each(['rows/accounts.jsonl', 'jobs.jsonl'])('a changed %s is noticed before anything is made', async (name) => {
  await backUp();
  appendFileSync(path.join(folder, 'copy', name), '\n');
  const target = await makeTarget({ kind: 'embedded' });
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow('The backup is damaged');
  expect(existsSync(target.dataDir)).toBe(false);
});

test('a damaged file stops the restore before the rows, which can be repeated once it is mended', async () => {
  await backUp();
  const [key = ''] = await listNamedKeys();
  const file = path.join(folder, 'copy/files', key);
  const content = readFileSync(file);
  writeFileSync(file, 'X');
  const target = await makeTarget();
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow(`The backup is damaged: ${file}`);
  expect(await (await createStorage(target)).findSize(key)).toBeNull();
  writeFileSync(file, content);
  expect(await runRestoreCommand(target, [copy()], report)).toContain('9 files');
});

test('a target with rows is refused', async () => {
  await backUp();
  const target = await makeTarget();
  await runRestoreCommand(target, [copy()], report);
  const again = () => runRestoreCommand(target, [copy()], report).catch((error: unknown) => String(error));
  // The server takes a moment to end the connections of the restore.
  const answer = await until(async () => {
    const said = await again();
    expect(said).not.toContain('connections are open');
    return said;
  });
  expect(answer).toContain('The target is not empty');
});

test('a missing file is listed and stays missing, secrets are put, and another SESSION_SECRET is told', async () => {
  const [key = ''] = await listNamedKeys();
  await (await createStorage({ ...source, s3: null })).remove(key);
  const secrets = path.join(source.dataDir, 'secrets');
  mkdirSync(secrets, { recursive: true });
  writeFileSync(path.join(secrets, 'vapid-private-key'), 'key', { mode: 0o600 });
  writeFileSync(path.join(secrets, 'session-secret'), 'theirs', { mode: 0o600 });
  expect(await backUp()).toContain('1 files that rows name are missing');
  expect(readFileSync(path.join(folder, 'copy/files.jsonl'), 'utf8')).toContain(`{"key":"${key}"}\n`);
  await (await createStorage({ ...source, s3: null })).put(key, Buffer.from(`content of ${key}`), 'image/webp');
  rmSync(secrets, { recursive: true });

  const own = path.join(folder, 'target/secrets');
  mkdirSync(own, { recursive: true });
  writeFileSync(path.join(own, 'session-secret'), 'ours');
  const target = await makeTarget({ sessionSecret: 'other'.repeat(8) });
  const said = await runRestoreCommand(target, [copy()], report);
  expect(said).toContain('8 files, 1 jobs, 1 of 2 secrets');
  expect(said).toContain('SESSION_SECRET differs');
  expect(readFileSync(path.join(own, 'session-secret'), 'utf8')).toBe('ours');
  expect(readFileSync(path.join(own, 'vapid-private-key'), 'utf8')).toBe('key');
});

test('secrets that cannot be listed end the backup instead of being left out', async () => {
  const secrets = path.join(source.dataDir, 'secrets');
  writeFileSync(secrets, '');
  await expect(backUp()).rejects.toThrow('ENOTDIR');
  rmSync(secrets);
});

test('a damaged secret is not put', async () => {
  const secrets = path.join(source.dataDir, 'secrets');
  mkdirSync(secrets, { recursive: true });
  writeFileSync(path.join(secrets, 'vapid-private-key'), 'key', { mode: 0o600 });
  await backUp();
  rmSync(secrets, { recursive: true });
  writeFileSync(path.join(folder, 'copy/secrets/vapid-private-key'), 'kex');
  const target = await makeTarget();
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow('The backup is damaged');
  expect(existsSync(path.join(target.dataDir, 'secrets/vapid-private-key'))).toBe(false);
});

test('a backup of a newer version is refused, and no target is made', async () => {
  await backUp();
  const manifest = path.join(folder, 'copy/manifest.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8'));
  content.migrations.push({ name: '29990101000000_future', checksum: 'x' });
  writeFileSync(manifest, JSON.stringify(content));
  const target = await makeTarget({ kind: 'embedded' });
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow('29990101000000_future');
  expect(existsSync(target.dataDir)).toBe(false);
});

test('a storage with files of others is refused before a file is stored', async () => {
  await backUp();
  const target = await makeTarget();
  const storage = await createStorage(target);
  const theirs = `photos/7/${randomUUID()}/master.jpg`;
  await storage.put(theirs, Buffer.from('photo'), 'image/jpeg');
  await expect(runRestoreCommand(target, [copy()], report)).rejects.toThrow(`not in the backup, such as ${theirs}`);
  const [key = ''] = await listNamedKeys();
  expect(await storage.findSize(key)).toBeNull();
  await storage.remove(theirs);
  expect(await runRestoreCommand(target, [copy()], report)).toContain('9 files');
});
