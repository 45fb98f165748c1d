import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import { NO_FILTERS, readMigrations, withSchemaEngine } from './schema-engine.ts';

/** Marks failed migrations as undone, as `prisma migrate resolve --rolled-back` does. */
const MARK_UNDONE =
  'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL';

/**
 * Applies new migrations and returns their names. Safe when several processes start at once: one applies them, the
 * others wait. `pool` must always return the same connection (max: 1), because the lock belongs to it.
 */
export async function deployMigrations(pool: pg.Pool, migrationsList?: MigrationList): Promise<string[]> {
  const list = migrationsList ?? (await readMigrations());
  if ((await findPendingMigrations(pool, list))?.length === 0) return [];
  const scripts = new WholeScripts(pool);
  try {
    return await withSchemaEngine(scripts, undefined, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: list, filters: NO_FILTERS });
      return appliedMigrationNames;
    });
  } catch (error) {
    // The script has changed nothing. Without this mark the engine would refuse to try it again.
    if (scripts.hasFailed) await pool.query(MARK_UNDONE);
    throw error;
  } finally {
    // The engine expects its connection to close. The pool keeps it open, and with it the lock.
    await pool.query('SELECT pg_advisory_unlock_all()');
  }
}

/** Prisma's adapter splits a script at every semicolon, even in comments and function bodies. */
class WholeScripts extends PrismaPg {
  hasFailed = false;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      // As one query it is one transaction, so a failed migration changes nothing.
      await this.#pool.query(script).catch((error: pg.DatabaseError) => {
        this.hasFailed = true;
        throw new DriverAdapterError({
          kind: 'postgres',
          code: error.code ?? 'N/A',
          severity: error.severity ?? 'N/A',
          message: error.message,
          detail: error.detail,
          column: error.column,
          hint: error.hint,
        });
      });
    };
    return adapter;
  }
}

/**
 * Names of the migrations that are not applied yet. Null when the database has none of our tables. Works without the
 * engine, which would add half a second to each start.
 */
export async function findPendingMigrations(
  pool: Pick<pg.Pool, 'query'>,
  migrationsList?: MigrationList,
): Promise<string[] | null> {
  const { migrationDirectories } = migrationsList ?? (await readMigrations());
  const applied = await readAppliedMigrations(pool);
  if (applied.size === 0) return null;
  return migrationDirectories.filter((one) => applied.get(one.path) !== checksum(one)).map(({ path }) => path);
}

/** Names of those migrations that these sources do not have, or have with another content. */
export async function findUnknownMigrations(migrations: { name: string; checksum: string }[]): Promise<string[]> {
  const { migrationDirectories } = await readMigrations();
  const known = new Map(migrationDirectories.map((one) => [one.path, checksum(one)]));
  return migrations.filter((one) => known.get(one.name) !== one.checksum).map(({ name }) => name);
}

type Migration = MigrationList['migrationDirectories'][number];

/** The checksum of a migration that Prisma stores: SHA-256 in hexadecimal digits. Null for a file that is missing. */
function checksum(migration: Migration): string | null {
  const { content } = migration.migrationFile;
  return content.tag === 'ok' ? createHash('sha256').update(content.value).digest('hex') : null;
}

/** Names of applied migrations that these sources do not have: a newer version has used the database. */
export async function findNewerMigrations(pool: Pick<pg.Pool, 'query'>): Promise<string[]> {
  const { migrationDirectories } = await readMigrations();
  const known = new Set(migrationDirectories.map(({ path }) => path));
  return [...(await readAppliedMigrations(pool)).keys()].filter((name) => !known.has(name)).sort();
}

/** Whether the tables come from migrations of a version before 0.2.0, which began anew with one that makes them all. */
export async function isFromBeforeFirstMigration(pool: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { migrationDirectories } = await readMigrations();
  const applied = await readAppliedMigrations(pool);
  return applied.size > 0 && !migrationDirectories.some(({ path }) => applied.has(path));
}

/** Checksums by name. Empty when the database has none of our tables. */
async function readAppliedMigrations(pool: Pick<pg.Pool, 'query'>): Promise<Map<string, string>> {
  const { rows: tables } = await pool.query(`select to_regclass('_prisma_migrations') is not null as exists`);
  if (!tables[0]?.exists) return new Map();
  const { rows } = await pool.query<{ migration_name: string; checksum: string }>(
    'select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  return new Map(rows.map((row) => [row.migration_name, row.checksum]));
}
