import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStorage } from '#api/app-context.ts';
import { runBackupCommand } from '#api/commands/backup/backup.ts';
import { runRestoreCommand } from '#api/commands/backup/restore.ts';
import { runBooksCommand } from '#api/commands/books.ts';
import { runDoctorCommand } from '#api/commands/doctor/doctor.ts';
import type { Finding } from '#api/commands/doctor/finding.ts';
import type { OperatorContext } from '#api/commands/operator-context.ts';
import { type CommandConfig, readCommandConfig } from '#api/config/config.ts';
import { type DatabaseHandle, openDatabase, openExistingDatabase } from '#api/database/database.ts';
import { eraseDueAccounts } from '#api/services/account-lifecycle/erasure.ts';
import { createProcessState } from '#api/services/core/process-state.ts';
import { DELETION_GRACE_MS } from '#shared/rules/retention.ts';
import { borrowTestDatabase, createServerDatabase } from '#tests/support/database.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { createAccount, createPhoto } from '#tests/support/factories.ts';
import { type FakeS3, startFakeS3 } from '#tests/support/fake-s3.ts';
import { fingerprintRows } from '#tests/support/fill-every-table.ts';
import { createTestApp } from '#tests/support/test-app.ts';

const serverUrl = process.env.TEST_DATABASE_URL;
const SECRET = 'a-session-secret-of-thirty-two-letters';
const log = pino({ level: 'silent' });
/** More than is read from the database at a time, and no multiple of how many files are copied at a time. */
const ROWS = 501;
const LARGE_ROW_CHARACTERS = 3_000_000;

let folder: string;
let s3: FakeS3;
const report = () => {};
const copy = () => path.join(folder, 'copy');

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-backup-'));
  s3 = await startFakeS3();
});
afterEach(async () => {
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The settings of an empty place with its files in S3, on the server if there is one. */
async function makeTarget(): Promise<Record<string, string>> {
  const env = { ...s3.env, DATA_DIR: path.join(folder, 'target'), SESSION_SECRET: SECRET };
  if (!serverUrl) return env;
  const { databaseUrl } = await createServerDatabase();
  return { ...env, DATABASE_URL: databaseUrl };
}

async function describe(config: CommandConfig, database: DatabaseHandle): Promise<OperatorContext> {
  return { db: database.db, config, state: createProcessState(), storage: await createStorage(config) };
}

/** An embedded database with nothing but what the migrations make, and files on the disk. */
async function openEmbeddedSource() {
  const config = readCommandConfig({ DATA_DIR: path.join(folder, 'source'), SESSION_SECRET: SECRET });
  await copyEmbeddedTemplate(config.dataDir);
  const database = await openDatabase(config, log);
  return { ...database, app: await describe(config, database) };
}

/** What the books say about the copy, and what the doctor finds wrong with it. */
async function examineCopy(env: Record<string, string>) {
  const config = readCommandConfig(env);
  const database = await openExistingDatabase(config, log);
  const books = await runBooksCommand(await describe(config, database), []).finally(() => database.close());
  const found = await runDoctorCommand(['--json'], { NODE_ENV: 'test', ...env }).catch((error: Error) => error.message);
  const findings: Finding[] = JSON.parse(found);
  // The tests' PostgreSQL is quick instead of safe.
  return { books, failures: findings.filter((one) => one.state === 'failed' && !one.text.includes('fsync')) };
}

test('an installation with many rows, one of them huge, moves from the embedded database and the disk to a server and S3', async () => {
  const source = await openEmbeddedSource();
  const { id } = await createAccount(source, { stars: 7 });
  await source.pool.query(
    `insert into photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key,
       master_bytes, preview_bytes, thumbnail_bytes, stored_bytes)
     select md5(n::text)::uuid, ${id}, case when n = 250 then repeat('Ёж', ${LARGE_ROW_CHARACTERS / 2}) else 'photo' end,
       'image/jpeg', 1, 900, 1200, key, key, key, size, size, size, 3 * size
     from (select n, key, octet_length('content of ' || key) as size
       from generate_series(1, ${ROWS}) n, lateral (select 'photos/${id}/' || n || '/master.jpg' as key) named) numbered`,
  );
  const keys = Array.from({ length: ROWS }, (_, index) => `photos/${id}/${index + 1}/master.jpg`);
  for (const key of keys) await source.app.storage.put(key, Buffer.from(`content of ${key}`), 'image/jpeg');
  expect(await runBackupCommand(source.app, [copy()], report)).toContain(`${ROWS} files`);
  const rows = await fingerprintRows(source.db, source.pool);
  await source.close();

  const env = await makeTarget();
  expect(await runRestoreCommand(readCommandConfig(env), [copy()], report)).toContain(`${ROWS} files`);
  const restored = await openExistingDatabase(readCommandConfig(env), log);
  expect(await fingerprintRows(restored.db, restored.pool)).toEqual(rows);
  await restored.close();
  expect([...s3.objects.keys()].sort()).toEqual([...keys].sort());
  for (const key of keys) expect(s3.objects.get(key)?.content.toString()).toBe(`content of ${key}`);
  const { books, failures } = await examineCopy(env);
  expect(books).toContain('Книги сходятся');
  expect(failures).toEqual([]);
});

test('a backup is of one moment while people write and one is erased; the copy agrees with its books', async () => {
  const testApp = await createTestApp();
  const { app } = testApp;
  const createOwner = async () => {
    const { id } = await createAccount(app, { stars: 3 });
    const { masterKey, previewKey, thumbnailKey } = await createPhoto(app, id);
    const keys = [masterKey, previewKey, thumbnailKey];
    for (const key of keys) await app.storage.put(key, Buffer.from(path.parse(key).name), 'image/jpeg');
    return { id, keys };
  };
  const kept = await createOwner();
  const leaving = await createOwner();
  const deletionAskedAt = new Date(Date.now() - DELETION_GRACE_MS - 1000);
  await app.db.account.update({ where: { id: leaving.id }, data: { deletionAskedAt } });

  let isOver = false;
  const write = async () => {
    while (!isOver) await createAccount(app, { stars: 5 });
  };
  const writing = write();
  // The rows are written down, and the files come now.
  let erasing: Promise<void> | undefined;
  const storage = {
    ...app.storage,
    async open(...args: Parameters<typeof app.storage.open>) {
      erasing ??= eraseDueAccounts(app);
      await erasing;
      return app.storage.open(...args);
    },
  };
  const said = await runBackupCommand({ ...app, storage }, [copy()], report);
  isOver = true;
  await writing;
  const written = await app.db.account.count();
  await testApp.close();
  expect(said).toContain('3 files that rows name are missing');

  const env = await makeTarget();
  await runRestoreCommand(readCommandConfig(env), [copy()], report);
  expect([...s3.objects.keys()].sort()).toEqual([...kept.keys].sort());
  const restored = await openExistingDatabase(readCommandConfig(env), log);
  expect(await restored.db.account.count()).toBeLessThan(written);
  await restored.close();
  const { books, failures } = await examineCopy(env);
  expect(books).toContain('Книги сходятся');
  expect(failures.map(({ part }) => part)).toEqual(['files']);
  for (const key of leaving.keys) expect(failures[0]?.text).toContain(key);
});

test('a connection to S3 that breaks ends neither the backup nor the restore', async () => {
  const source = await borrowTestDatabase();
  const { id } = await createAccount(source);
  const { masterKey, previewKey, thumbnailKey } = await createPhoto(source, id);
  const config = readCommandConfig({ ...s3.env, SESSION_SECRET: SECRET });
  const storage = await createStorage(config);
  const keys = [masterKey, previewKey, thumbnailKey];
  for (const key of keys) await storage.put(key, Buffer.from(`content of ${key}`), 'image/jpeg');
  s3.failNext({ kind: 'cut', on: 'GET', afterBytes: 5 }, { kind: 'cut', on: 'GET', afterBytes: 5 });
  expect(await runBackupCommand(await describe(config, source), [copy()], report)).toContain('3 files');
  await source.close();

  s3.objects.clear();
  s3.failNext({ kind: 'cut', on: 'PUT', afterBytes: 5 });
  const target = readCommandConfig(await makeTarget());
  expect(await runRestoreCommand(target, [copy()], report)).toContain('3 files');
  for (const key of keys) expect(await text(await storage.open(key))).toBe(`content of ${key}`);
});
