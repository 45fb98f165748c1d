import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#api/config/config.ts';
import { COMMAND_CONNECTIONS } from '#api/config/connections.ts';
import { type Prisma, PrismaClient } from '#prisma/generated/client.ts';
import {
  deployMigrations,
  findNewerMigrations,
  findPendingMigrations,
  isFromBeforeFirstMigration,
} from '#prisma/migrate.ts';
import { readMigrations } from '#prisma/schema-engine.ts';
import {
  type EmbeddedPostgres,
  findEndedProgram,
  hasEmbeddedPostgres,
  openEmbeddedPostgres,
  reachEmbeddedPostgres,
} from './embedded/open-embedded-postgres.ts';
import { DatabasePool } from './pool.ts';
import { assertFitServer, prepareSession, UnfitDatabaseError } from './session.ts';

export { findViolatedConstraint } from '#prisma/database-errors.ts';
export { findNewerMigrations, findPendingMigrations, findUnknownMigrations } from '#prisma/migrate.ts';

export type Db = PrismaClient;
/** The client inside an interactive transaction. */
export type Tx = Prisma.TransactionClient;

export interface DatabaseHandle {
  db: Db;
  /** The connections behind `db`, for code that writes its own SQL, such as the queue and the migrations. */
  pool: pg.Pool;
  /** True for the embedded database: everything shares one connection. */
  isEmbedded: boolean;
  /** True for an embedded database that this process has opened, and not reached through a running program. */
  isOpenedHere: boolean;
  /** After a failure: an error that says that the program whose database this is was stopped. Null if it was not. */
  findEndedProgram(): Promise<Error | null>;
  close(): Promise<void>;
}

/** For serving requests. Migrations may take as long as they need. */
export const SERVER_POOL = {
  /** Waiting time for a new or free connection. */
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} satisfies pg.PoolConfig;
const SERVER_SESSION = {
  statement_timeout: 30_000,
  /** A row that stays locked must not keep a connection. */
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 60_000,
};
/**
 * A server that has stopped answering, whose own timeouts do not work. An operator's command may take longer: a backup
 * takes the server's timeouts off for its own transaction, and cannot take off this one.
 */
export const SERVING_QUERY_TIMEOUT_MS = 35_000;
/** For an operator's command, such as the books: as long as the doctor gives its longest check. */
const COMMAND_STATEMENT_TIMEOUT_MS = 120_000;
/** How a server lists our connections, as a regular expression. */
export const APPLICATION_NAMES = '^podium\\M';

/**
 * How many statements a connection plans only once. Each keeps about 30 KB in the process of PostgreSQL that serves the
 * connection. Further ones are planned at every use.
 */
const NAMED_STATEMENTS_MAX = 300;

/** Where a database is. Without `connections` it is opened for an operator's command. */
type DatabaseConfig = Pick<Config, 'dataDir' | 'databaseUrl'> & Partial<Pick<Config, 'connections'>>;

/**
 * Opens PostgreSQL if `databaseUrl` is set, otherwise PGlite in `dataDir`, and applies new migrations. `onCrash` is
 * called when the embedded database ends on its own; it accepts no more queries. Throws FolderInUseError,
 * UnfitDatabaseError.
 */
export async function openDatabase(
  config: DatabaseConfig,
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>,
  onCrash?: () => void,
): Promise<DatabaseHandle> {
  return open(config, { log, onCrash }, (pool) => bringUpToDate(config, pool, log));
}

/** For `npm run db:migrate`: applies new migrations. Throws DatabaseNotReadyError, FolderInUseError. */
export async function migrateExistingDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>,
): Promise<void> {
  assertEmbeddedDatabase(config);
  const database = await open(config, { log, reachesProgram: true }, (pool) => bringUpToDate(config, pool, log));
  await database.close();
}

async function bringUpToDate(config: DatabaseConfig, pool: pg.Pool, log: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  await assertCanBeTakenOver(config, pool);
  const applied = await migrate(config, pool);
  if (applied.length > 0) log.info({ migrations: applied }, 'migrations applied');
  // Normal while two versions run, and after a rollback.
  const newer = await findNewerMigrations(pool);
  if (newer.length > 0) log.warn({ migrations: newer }, 'a newer version has migrated the database');
}

/**
 * Opens a database as it is, for a restore. Creates the embedded one if there is none, and applies no migration. Throws
 * FolderInUseError.
 */
export async function openDatabaseAsItIs(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: Pick<Logger, 'error' | 'fatal'>,
): Promise<DatabaseHandle> {
  return open(config, { log }, async () => {});
}

/** Applies new migrations: all, or only those with these names. Returns the names of the applied ones. */
export async function applyMigrations(
  config: Pick<DatabaseConfig, 'databaseUrl' | 'connections'>,
  { pool }: Pick<DatabaseHandle, 'pool'>,
  names?: string[],
): Promise<string[]> {
  const list = await readMigrations();
  const chosen = list.migrationDirectories.filter(({ path }) => !names || names.includes(path));
  return migrate(config, pool, { ...list, migrationDirectories: chosen });
}

/**
 * Opens a database that exists already, the embedded one through the program that runs on it. Creates and migrates
 * nothing. Throws DatabaseNotReadyError, which says where none was found or what it waits for, and FolderInUseError.
 */
export async function openExistingDatabase(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: Pick<Logger, 'error' | 'fatal'>,
): Promise<DatabaseHandle> {
  // Without the connections of a program that serves, which some callers have too: they would name statements.
  const config = { dataDir, databaseUrl };
  assertEmbeddedDatabase(config);
  return open(config, { log, reachesProgram: true }, async (pool) => {
    await assertCanBeTakenOver(config, pool);
    const pending = await findPendingMigrations(pool);
    if (pending === null) throw new DatabaseNotReadyError(describeMissing(config));
    if (pending.length > 0) {
      const names = pending.join(', ');
      throw new DatabaseNotReadyError(
        `The database waits for migrations (${names}). npm start or db:migrate applies them`,
      );
    }
  });
}

/** Checks that the embedded database exists. Throws DatabaseNotReadyError, FolderInUseError. */
function assertEmbeddedDatabase(config: Pick<Config, 'dataDir' | 'databaseUrl'>): void {
  if (config.databaseUrl || hasEmbeddedPostgres(config.dataDir)) return;
  throw new DatabaseNotReadyError(describeMissing(config));
}

/** The database for an operator's command does not exist, or not yet. */
class DatabaseNotReadyError extends Error {
  override name = 'DatabaseNotReadyError';
}

/** Its tables would be in the way of the first migration. Throws UnfitDatabaseError. */
async function assertCanBeTakenOver({ dataDir, databaseUrl }: DatabaseConfig, pool: pg.Pool): Promise<void> {
  if (!(await isFromBeforeFirstMigration(pool))) return;
  const [wanted, found] = databaseUrl
    ? ['DATABASE_URL: an empty database', 'the one it names']
    : ['DATA_DIR: a new folder', `the database in «${dataDir}»`];
  throw new UnfitDatabaseError(
    `${wanted} (${found} was made by a version of Podium before 0.2.0, which this one cannot take over)`,
  );
}

/** The address of a server is not shown, because it may contain a password. */
function describeMissing({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): string {
  return databaseUrl
    ? 'DATABASE_URL: a database of Podium (the one it names has none of its tables; npm start makes them)'
    : `DATA_DIR: a folder with a database of Podium (is «${dataDir}», where there is none; npm start makes one)`;
}

/** The driver's error may be empty: for a name with two addresses the errors are nested. */
function describeRefusal(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  const reason = first instanceof Error ? first.message : String(first);
  return `DATABASE_URL: a PostgreSQL server with a database of Podium (${reason})`;
}

interface OpenOptions {
  log: Pick<Logger, 'error' | 'fatal'>;
  onCrash?: (() => void) | undefined;
  /** Uses the embedded database of a running program instead of refusing. */
  reachesProgram?: boolean;
}

/** `prepare` inspects or changes the database before anybody else uses it. */
async function open(
  config: DatabaseConfig,
  { log, onCrash, reachesProgram = false }: OpenOptions,
  prepare: (pool: pg.Pool) => Promise<void>,
): Promise<DatabaseHandle> {
  const openEmbedded = reachesProgram ? reachEmbeddedPostgres : openEmbeddedPostgres;
  const embedded = config.databaseUrl
    ? null
    : await openEmbedded(config.dataDir, (error) => {
        log.fatal({ err: error }, 'the embedded database ended');
        onCrash?.();
      });
  if (config.databaseUrl) await checkServer(config.databaseUrl);
  const { pool: max } = config.connections ?? COMMAND_CONNECTIONS;
  const session = config.connections
    ? SERVER_SESSION
    : { ...SERVER_SESSION, statement_timeout: COMMAND_STATEMENT_TIMEOUT_MS };
  const limits = {
    ...SERVER_POOL,
    max,
    ...(config.connections ? { query_timeout: SERVING_QUERY_TIMEOUT_MS } : {}),
    onConnect: prepareSession(session),
  };
  const pool = embedded?.pool ?? new DatabasePool({ ...describeServer(config), ...limits });
  // Without a listener the process would end when the server closes an idle connection. What a command has reached
  // ends with its program, and the command says so.
  if (!embedded || embedded.isOpenedHere) {
    pool.on('error', (error) => log.error({ err: error }, 'a database connection broke'));
  }
  // Commands share the one session of an embedded database with its program, and names would be in each other's way.
  const database = handle(pool, embedded, {
    dataDir: config.dataDir,
    namesStatements: config.connections !== undefined,
  });
  try {
    await prepare(pool);
    // Only a program that serves, and not before: a command would find tables that are not ready.
    if (config.connections) {
      await embedded?.offer?.((error) => log.error({ err: error }, 'the socket of the database failed'));
    }
  } catch (error) {
    const ended = await database.findEndedProgram();
    await database.close();
    throw ended ?? error;
  }
  return database;
}

/** Throws UnfitDatabaseError, and DatabaseNotReadyError when there is no connection. */
async function checkServer(databaseUrl: string): Promise<void> {
  try {
    await assertFitServer(databaseUrl);
  } catch (error) {
    throw error instanceof UnfitDatabaseError ? error : new DatabaseNotReadyError(describeRefusal(error));
  }
}

type ServerConfig = Pick<DatabaseConfig, 'databaseUrl' | 'connections'>;

function describeServer({ databaseUrl, connections = COMMAND_CONNECTIONS }: ServerConfig): pg.PoolConfig {
  return { connectionString: databaseUrl, application_name: connections.name };
}

async function migrate(config: ServerConfig, ownPool: pg.Pool, migrations?: MigrationList): Promise<string[]> {
  if (!config.databaseUrl) return deployMigrations(ownPool, migrations);
  const pool = new pg.Pool({ ...describeServer(config), max: 1, onConnect: prepareSession() });
  try {
    return await deployMigrations(pool, migrations);
  } finally {
    // This end does not wait for the connection to close. A server that stops now would end our process with its error.
    pool.on('error', () => undefined);
    await pool.end();
  }
}

function handle(
  pool: pg.Pool,
  embedded: EmbeddedPostgres | null,
  { dataDir, namesStatements }: { dataDir: string; namesStatements: boolean },
): DatabaseHandle {
  const db = new PrismaClient({
    // Otherwise the client notes where each query was called from and reads that source for the message of an error.
    // Messages still name the model and the method, but not the line of the call.
    errorFormat: 'minimal',
    adapter: new PrismaPg(pool, namesStatements ? { statementNameGenerator: nameStatements() } : {}),
    // Long, because transactions on the embedded database wait in line for the one connection.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
  });
  return {
    db,
    pool,
    isEmbedded: embedded !== null,
    isOpenedHere: embedded?.isOpenedHere ?? false,
    findEndedProgram: async () => embedded && findEndedProgram(embedded, dataDir),
    async close() {
      await db.$disconnect();
      if (embedded) await embedded.close();
      else await pool.end();
    },
  };
}

/** Names statements by their text. A connection plans what has a name once, and planning takes longer than most run. */
function nameStatements(): (statement: { sql: string; args: unknown[] }) => string {
  const names = new Map<string, string>();
  return ({ sql, args }) => {
    // BEGIN and COMMIT need no plan.
    if (args.length === 0) return '';
    if (!names.has(sql) && names.size < NAMED_STATEMENTS_MAX) names.set(sql, `statement-${names.size + 1}`);
    return names.get(sql) ?? '';
  };
}

/** A new id for a row that SQL inserts: UUID version 7, which sorts by time of creation. */
export function createRowId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomUUID().replaceAll('-', '').slice(13);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${random.slice(3, 7)}-${random.slice(7)}`;
}
