import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import type pg from 'pg';
import { NO_FILTERS, readMigrations, withSchemaEngine } from './schema-engine.ts';

/**
 * Applies new migrations and returns their names. Safe when several processes start at once: one applies them, the
 * others wait. `pool` must always return the same connection (max: 1), because the lock belongs to it.
 */
export async function deployMigrations(pool: pg.Pool, migrationsList?: MigrationList): Promise<string[]> {
  const list = migrationsList ?? (await readMigrations());
  if ((await findPendingMigrations(pool, list))?.length === 0) return [];
  try {
    return await withSchemaEngine(new WholeScripts(pool), undefined, async (engine) => {
      const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList: list, filters: NO_FILTERS });
      return appliedMigrationNames;
    });
  } finally {
    // The engine expects its connection to close. The pool keeps it open, and with it the lock.
    await pool.query('SELECT pg_advisory_unlock_all()');
  }
}

/** Prisma's adapter splits a script at every semicolon, even in comments and function bodies. */
class WholeScripts extends PrismaPg {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect() {
    const adapter = await super.connect();
    // A script that runs as one query is one transaction, so a failed migration changes nothing.
    adapter.executeScript = async (script) => {
      await this.#pool.query(script).catch((error: pg.DatabaseError) => {
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
export async function findPendingMigrations(pool: pg.Pool, migrationsList?: MigrationList): Promise<string[] | null> {
  const { migrationDirectories } = migrationsList ?? (await readMigrations());
  const { rows: tables } = await pool.query(`select to_regclass('_prisma_migrations') is not null as exists`);
  if (!tables[0]?.exists) return null;
  const { rows } = await pool.query<{ migration_name: string; checksum: string }>(
    'select migration_name, checksum from _prisma_migrations where finished_at is not null and rolled_back_at is null',
  );
  const applied = new Map(rows.map((row) => [row.migration_name, row.checksum]));
  if (applied.size === 0) return null;
  const isApplied = ({ path, migrationFile: { content } }: (typeof migrationDirectories)[number]) =>
    content.tag === 'ok' && applied.get(path) === createHash('sha256').update(content.value).digest('hex');
  return migrationDirectories.filter((one) => !isApplied(one)).map(({ path }) => path);
}
