import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { type DatabaseHandle, openDatabase } from '#api/database/database.ts';
import { copyEmbeddedTemplate, prepareServerTemplate, urlOfDatabase } from './database-template.ts';

const DEADLOCK_DETECTED = '40P01';
const MAX_ATTEMPTS = 3;

/** The place of a test's own database, as configuration for openDatabase or for the whole program. */
export interface TestDatabasePlace {
  /** A temporary folder; also the DATA_DIR of the tested program. */
  dataDir: string;
  /** Set when the tests run on a PostgreSQL server (TEST_DATABASE_URL). */
  databaseUrl: string | undefined;
  /** Removes the database and the folder. Call it after every connection is closed. */
  remove(): Promise<void>;
}

/**
 * Creates a fresh, migrated database for one test file: on the server of TEST_DATABASE_URL if that is set, otherwise an
 * embedded one. It is copied from a template, which takes a fraction of a second.
 */
export async function createTestDatabase(): Promise<TestDatabasePlace> {
  const dataDir = await createTemporaryFolder('test-');
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    await copyEmbeddedTemplate(dataDir);
    return { dataDir, databaseUrl: undefined, remove: () => rm(dataDir, { recursive: true, force: true }) };
  }
  const { databaseUrl, drop } = await createServerDatabase(`TEMPLATE ${await prepareServerTemplate(serverUrl)}`);
  return {
    dataDir,
    databaseUrl,
    async remove() {
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a database on the server of TEST_DATABASE_URL, without `options` an empty one. */
export async function createServerDatabase(options = ''): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const serverUrl = process.env.TEST_DATABASE_URL ?? '';
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name} ${options}`);
  return {
    databaseUrl: urlOfDatabase(serverUrl, name),
    drop: () => runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
  };
}

/** The common prefix of the names of this run's databases. */
export function databasePrefix(): string {
  return `podium_test_${path
    .basename(process.env.TEST_RUN_DIR ?? '')
    .replaceAll(/\W/g, '')
    .toLowerCase()}_`;
}

export interface TestDatabase extends DatabaseHandle {
  dataDir: string;
  databaseUrl: string | undefined;
  /** Empties our tables and the queue's jobs and restarts the counters. The packages from the migrations stay. */
  reset(): Promise<void>;
  /** Call it when the test no longer needs the database. */
  close(): Promise<void>;
}

/** Creates and opens a database, for tests that change the tables themselves. Close it in afterAll. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const place = await createTestDatabase();
  const database = await openDatabase({ ...place, connections: countConnections(ROLES) }, pino({ level: 'silent' }));
  const packages = await readPackages(database.pool);
  return {
    ...database,
    dataDir: place.dataDir,
    databaseUrl: place.databaseUrl,
    reset: () => emptyTables(database.pool, packages),
    async close() {
      await database.close();
      await place.remove();
    },
  };
}

/** Databases of this process that no test uses now. */
const free: TestDatabase[] = [];

/**
 * An empty database that an earlier test file of this process may have used, with a data folder of its own. Close it in
 * afterAll.
 */
export async function borrowTestDatabase(): Promise<TestDatabase> {
  const database = free.pop() ?? (await openTestDatabase());
  const dataDir = await createTemporaryFolder('data-');
  return {
    ...database,
    dataDir,
    async close() {
      await database.reset();
      free.push(database);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The packages as the migrations leave them, as JSON. */
async function readPackages(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ packages: string }>(
    'SELECT json_agg(star_packages)::text AS packages FROM star_packages',
  );
  return rows[0]?.packages ?? '[]';
}

/**
 * Deletes the rows, which takes a tenth of the time of TRUNCATE. Replica mode skips the triggers that keep the ledger
 * append-only, and only a superuser may set it.
 */
const EMPTY_TABLES = `DO $$
  DECLARE
    tables text;
    name text;
  BEGIN
    SELECT string_agg(format('%I.%I', schemaname, tablename), ', ' ORDER BY tablename) INTO tables FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> '_prisma_migrations' OR (schemaname, tablename) = ('pgboss', 'job');
    IF current_setting('is_superuser') <> 'on' THEN
      EXECUTE 'TRUNCATE ' || tables || ' RESTART IDENTITY';
      RETURN;
    END IF;
    PERFORM set_config('session_replication_role', 'replica', true);
    -- Waits for transactions that the test has left open.
    EXECUTE 'LOCK TABLE ' || tables;
    FOREACH name IN ARRAY string_to_array(tables, ', ') LOOP
      EXECUTE 'DELETE FROM ' || name;
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
      WHERE schemaname = 'public';
  END $$`;

async function emptyTables(pool: pg.Pool, packages: string): Promise<void> {
  await retryAfterDeadlock(() => pool.query(EMPTY_TABLES));
  await pool.query('INSERT INTO star_packages SELECT * FROM json_populate_recordset(NULL::star_packages, $1)', [
    packages,
  ]);
  await pool.query("SELECT setval(pg_get_serial_sequence('star_packages', 'id'), max(id)) FROM star_packages");
}

/** A statement of the test that has just ended may still run on the server, and lock the tables in another order. */
async function retryAfterDeadlock(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK_DETECTED || attempt === MAX_ATTEMPTS)
        throw error;
    }
  }
}

/** Creates it in the folder of the run (TEST_RUN_DIR), which is removed when the run ends. */
function createTemporaryFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join(process.env.TEST_RUN_DIR ?? tmpdir(), `podium-${prefix}`));
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

/** How many statements on a test's own database wait for a lock. Only on a server: embedded ones take turns. */
export async function countLockWaits({ pool }: Pick<DatabaseHandle, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows.length;
}
