import pg from 'pg';
import { pino } from 'pino';
import type { ObjectStorage } from '#api/adapters/storage/object-storage.ts';
import { createStorage } from '#api/app-context.ts';
import type { Report } from '#api/commands/operator-context.ts';
import type { CommandConfig } from '#api/config/config.ts';
import {
  APPLICATION_NAMES,
  applyMigrations,
  type DatabaseHandle,
  findUnknownMigrations,
  openDatabaseAsItIs,
} from '#api/database/database.ts';
import { isProgramRunning } from '#api/database/embedded/open-embedded-postgres.ts';
import { openQueue } from '#api/queue/queue.ts';
import { fingerprintSessionSecret, readFolderArgument, restoreSecrets } from './backup.ts';
import { listedFile, type Manifest, placesIn, readLines, readManifest } from './backup-folder.ts';
import { restoreFiles } from './copy-files.ts';
import { assertEmpty, loadRows } from './load-rows.ts';

const log = pino({ level: 'warn' });

/**
 * `npm run restore -- <folder>`: fills a missing or empty database and its storage while no server runs. The rows come
 * last and all at once, so an interrupted restore leaves an empty database and can be repeated. Throws an Error for the
 * operator.
 */
export async function runRestoreCommand(config: CommandConfig, args: string[], report: Report): Promise<string> {
  const folder = readFolderArgument('restore', args);
  const backup = readManifest(folder);
  const migrations = backup.migrations.map(({ name }) => name);
  await assertMigrationsKnown(backup);
  await assertRowsIntact(folder, backup);
  await assertNoServerRuns(config);
  const database = await openDatabaseAsItIs(config, log);
  try {
    await assertEmpty(database.db);
    await assertNotNewer(database.pool, migrations);
    await applyMigrations(config, database, migrations);
    const storage = await createStorage(config);
    await assertNoOtherFiles(storage, folder, backup);
    const secrets = await restoreSecrets(config.dataDir, folder, backup);
    const files = await restoreFiles(storage, folder, backup, report);
    const sentJobs = await restoreRows(config, database, folder, backup, report);
    await bringUpToDate(config, database);
    return describe(config, backup, { files, sentJobs, secrets });
  } finally {
    await database.close();
  }
}

/** A backup of an older version gets what has changed since. */
async function bringUpToDate(config: CommandConfig, database: DatabaseHandle): Promise<void> {
  try {
    await applyMigrations(config, database);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      'Everything is restored, but the tables could not be brought up to this version. ' +
        `Do not restore again: mend what follows, then run npm run db:migrate.\n${reason}`,
      { cause },
    );
  }
}

async function restoreRows(
  config: CommandConfig,
  database: DatabaseHandle,
  folder: string,
  backup: Manifest,
  report: Report,
): Promise<number> {
  const queue = await openQueue(database, { databaseUrl: config.databaseUrl, roles: [] }, log);
  try {
    return await loadRows(database.db, queue, folder, backup, report);
  } finally {
    await queue.stop();
  }
}

async function assertMigrationsKnown({ migrations }: Manifest): Promise<void> {
  const unknown = await findUnknownMigrations(migrations);
  if (unknown.length > 0) {
    throw new Error(
      `The backup was made by a newer or another version of Podium, whose migrations are not known here: ${unknown.join(', ')}. ` +
        'Restore it with that version.',
    );
  }
}

/** Reads all rows once, before anything is made. */
async function assertRowsIntact(folder: string, { tables, jobs }: Manifest): Promise<void> {
  const places = placesIn(folder);
  const files = [
    ...tables.map(({ name, rows }) => ({ file: places.rows(name), rows })),
    { file: places.jobs, rows: jobs },
  ];
  for (const { file, rows } of files) for await (const _ of readLines(file, rows));
}

/** The embedded database is locked by its process. On a server other processes show by their connections. */
async function assertNoServerRuns({ dataDir, databaseUrl }: CommandConfig): Promise<void> {
  if (!databaseUrl) {
    if (!(await isProgramRunning(dataDir))) return;
    throw new Error(`A server runs on ${dataDir}. Stop it first: a restore needs an empty target that nobody uses.`);
  }
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect().catch((error: Error) => {
    throw new Error(`DATABASE_URL: a PostgreSQL server that can be reached (${error.message})`);
  });
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name ~ $1`,
      [APPLICATION_NAMES],
    );
    if (rows[0]?.count) {
      throw new Error(
        `DATABASE_URL: a database that no process of Podium uses (${rows[0].count} connections are open). Stop them first.`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Migrations also change rows. Those that the target has had already would not change the rows of the backup. */
async function assertNotNewer(pool: pg.Pool, migrations: string[]): Promise<void> {
  const { rows: tables } = await pool.query(`select to_regclass('_prisma_migrations') is not null as exists`);
  if (!tables[0]?.exists) return;
  const { rows } = await pool.query<{ name: string }>('select migration_name as name from _prisma_migrations');
  const newer = rows.filter(({ name }) => !migrations.includes(name));
  if (newer.length > 0) {
    throw new Error(
      'The target has tables of a newer version than the backup. Give an empty database without tables, ' +
        'or an empty DATA_DIR; they are made as the backup needs them and then brought up to date.',
    );
  }
}

/** Two installations in one storage would remove each other's files. Those of an interrupted restore may be there. */
async function assertNoOtherFiles(storage: ObjectStorage, folder: string, { files }: Manifest): Promise<void> {
  const own = new Set<string>();
  for await (const line of readLines(placesIn(folder).fileList, files)) own.add(listedFile.parse(JSON.parse(line)).key);
  for (const prefix of ['photos/', 'results/']) {
    for await (const { key } of storage.list(prefix)) {
      if (own.has(key)) continue;
      throw new Error(
        `The storage has files that are not in the backup, such as ${key}: it is that of another installation, or of ` +
          'one that is lost. Give an empty bucket or an empty DATA_DIR. Everything that the rows name is in the backup.',
      );
    }
  }
}

function describe(
  config: CommandConfig,
  backup: Manifest,
  { files, sentJobs, secrets }: { files: number; sentJobs: number; secrets: string[] },
): string {
  const rows = backup.tables.reduce((sum, table) => sum + table.rows.lines, 0);
  const lines = [
    `Restored the backup of ${backup.madeAt}: ${rows} rows, ${files} files, ${sentJobs} jobs, ` +
      `${secrets.length} of ${Object.keys(backup.secrets).length} secrets (those that were missing).`,
  ];
  if (backup.files.missing > 0) lines.push(`${backup.files.missing} files were missing when the backup was made.`);
  const ownSecret = fingerprintSessionSecret(config);
  if (backup.sessionSecretFingerprint !== null && ownSecret !== backup.sessionSecretFingerprint) {
    lines.push('SESSION_SECRET differs from that of the backup: people have to sign in again.');
  }
  return [...lines, 'Now run npm run books and npm run doctor, then start the server.'].join('\n');
}
