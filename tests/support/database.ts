import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { type DatabaseHandle, openDatabase } from '#api/db.ts';
import { prepareEmbeddedTemplate, prepareServerTemplate, urlOfDatabase } from './database-template.ts';

/** Where a database of one's own lies: what openDatabase and the whole program are configured with. */
export interface TestDatabasePlace {
  /** A temporary folder; it also serves as the DATA_DIR of whatever is tested. */
  dataDir: string;
  /** Set when the tests run on a PostgreSQL server (TEST_DATABASE_URL). */
  databaseUrl: string | undefined;
  /** Removes the database and the folder; everybody must have closed it. */
  remove(): Promise<void>;
}

/**
 * A fresh, migrated database for one test file: embedded by default, on the server of TEST_DATABASE_URL when that is
 * set. Copied from a template, so it takes a fraction of a second.
 */
export async function createTestDatabase(): Promise<TestDatabasePlace> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-test-'));
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    // A thousand small files: several times as fast as one by one through the thread pool.
    cpSync(await prepareEmbeddedTemplate(), path.join(dataDir, 'db'), { recursive: true });
    return { dataDir, databaseUrl: undefined, remove: () => rm(dataDir, { recursive: true, force: true }) };
  }
  const template = await prepareServerTemplate(serverUrl);
  const name = `podium_test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return {
    dataDir,
    databaseUrl: urlOfDatabase(serverUrl, name),
    async remove() {
      await runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface TestDatabase extends DatabaseHandle {
  dataDir: string;
  databaseUrl: string | undefined;
  /** Empties every table of ours, but for the packages that a migration puts in, and the queue's jobs; counters start anew. */
  reset(): Promise<void>;
  /** Closes and removes it. */
  close(): Promise<void>;
}

let lastFirstAccountId = 0;

/**
 * createTestDatabase, opened. Close it in afterAll. Its accounts have numbers of their own, for what the server keeps in
 * memory about an account outlives the database of a test.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const place = await createTestDatabase();
  const database = await openDatabase(place, pino({ level: 'silent' }));
  lastFirstAccountId += 100_000;
  await database.pool.query(`ALTER SEQUENCE accounts_id_seq START WITH ${lastFirstAccountId} RESTART`);
  return {
    ...database,
    dataDir: place.dataDir,
    databaseUrl: place.databaseUrl,
    async reset() {
      const { rows } = await database.pool.query<{ tables: string }>(
        `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables
         WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'star_packages')`,
      );
      await database.pool.query(`TRUNCATE ${rows[0]?.tables} RESTART IDENTITY`);
      await database.pool.query('TRUNCATE pgboss.job');
    },
    async close() {
      await database.close();
      await place.remove();
    },
  };
}

async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
