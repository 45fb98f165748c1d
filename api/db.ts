import { randomUUID } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type Prisma, PrismaClient } from '#prisma/generated/client.ts';
import { deployMigrations } from '#prisma/migrate.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './adapters/embedded-postgres/open-embedded-postgres.ts';
import type { Config } from './config.ts';

export type Db = PrismaClient;
/** The client inside an interactive transaction. */
export type Tx = Prisma.TransactionClient;

export interface DatabaseHandle {
  db: Db;
  /** The connections under `db`: for what speaks SQL itself, such as the queue and the migrations. */
  pool: pg.Pool;
  /** Embedded: everything shares one connection, and this process is the only one. */
  isEmbedded: boolean;
  close(): Promise<void>;
}

/** For the answering of requests. Migrations may take as long as they need. */
const SERVER_POOL = {
  /** Connections; the embedded database has one. */
  max: 20,
  /** Until a connection is there, or free. */
  connectionTimeoutMillis: 5_000,
  statement_timeout: 30_000,
} satisfies pg.PoolConfig;
/** Prisma writes timestamps wrongly in a session of another zone. */
const SESSION_OPTIONS = '-c TimeZone=UTC';

/**
 * PostgreSQL where `databaseUrl` is set, PGlite in `dataDir` otherwise; migrations that it has not seen are applied
 * first. `onCrash` is told when the embedded database has ended by itself: nothing can be asked of it any more.
 * Throws FolderInUseError.
 */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl'>,
  log: Pick<Logger, 'info' | 'error' | 'fatal'>,
  onCrash?: () => void,
): Promise<DatabaseHandle> {
  const embedded = config.databaseUrl
    ? null
    : await openEmbeddedPostgres(config.dataDir, (error) => {
        log.fatal({ err: error }, 'the embedded database ended');
        onCrash?.();
      });
  const pool = embedded?.pool ?? openServerPool(config.databaseUrl, SERVER_POOL);
  // Without a listener a server that goes away would end the process through an idle connection.
  pool.on('error', (error) => log.error({ err: error }, 'a database connection broke'));
  const database = handle(pool, embedded);
  try {
    const applied = await migrate(config.databaseUrl, embedded?.pool);
    if (applied.length > 0) log.info({ migrations: applied }, 'migrations applied');
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function openServerPool(databaseUrl: string | undefined, options: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ connectionString: databaseUrl, options: SESSION_OPTIONS, ...options });
}

async function migrate(databaseUrl: string | undefined, embeddedPool: pg.Pool | undefined): Promise<string[]> {
  if (embeddedPool) return deployMigrations(embeddedPool);
  const pool = openServerPool(databaseUrl, { max: 1 });
  try {
    return await deployMigrations(pool);
  } finally {
    await pool.end();
  }
}

function handle(pool: pg.Pool, embedded: EmbeddedPostgres | null): DatabaseHandle {
  const db = new PrismaClient({
    adapter: new PrismaPg(pool),
    // Generous, because on the embedded database transactions stand in line for the one connection.
    transactionOptions: { maxWait: 10_000, timeout: 15_000 },
  });
  return {
    db,
    pool,
    isEmbedded: embedded !== null,
    async close() {
      await db.$disconnect();
      if (embedded) await embedded.close();
      else await pool.end();
    },
  };
}

/** Which unique constraint or index a statement ran into, by its name in the database; null for any other error. */
export function findViolatedConstraint(error: unknown): string | null {
  const parsed = uniqueViolation.safeParse(error);
  return parsed.success ? parsed.data.meta.driverAdapterError.cause.constraint.index : null;
}

const uniqueViolation = z.object({
  meta: z.object({
    driverAdapterError: z.object({ cause: z.object({ constraint: z.object({ index: z.string() }) }) }),
  }),
});

/** A new id for a row that is inserted by SQL: UUID version 7, whose order is the order of making. */
export function createRowId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomUUID().replaceAll('-', '').slice(13);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${random.slice(3, 7)}-${random.slice(7)}`;
}
