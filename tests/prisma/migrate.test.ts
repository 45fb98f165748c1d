import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deployMigrations, findNewerMigrations } from '#prisma/migrate.ts';
import { readMigrations } from '#prisma/schema-engine.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';

let database: TestDatabase;
/** Pools of one connection each, like separate processes. The embedded database has only one connection. */
let pools: pg.Pool[];

beforeAll(async () => {
  database = await openTestDatabase();
  pools = database.databaseUrl ? Array.from({ length: 3 }, openPool) : [database.pool];
});
afterAll(async () => {
  if (database.databaseUrl) await Promise.all(pools.map((pool) => pool.end()));
  await database.close();
});

function openPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: database.databaseUrl, max: 1 });
  // The end of a pool does not wait for its connections to close. The removal of the database may be what ends them.
  pool.on('error', () => undefined);
  return pool;
}

async function withMigration(name: string, sql: string) {
  const list = await readMigrations();
  list.migrationDirectories.push({
    path: name,
    migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
  });
  return list;
}

test('a database that has every migration is left alone', async () => {
  expect(await deployMigrations(pools[0] as pg.Pool)).toEqual([]);
});

test('of several parallel deploys one applies a migration and the others find it done', async () => {
  // A semicolon in a comment and in a function's body must not cut the script.
  const list = await withMigration(
    '29990101000000_counted',
    `-- one; two
     CREATE TABLE counted (n int);
     CREATE FUNCTION count_up() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;`,
  );
  const applied = await Promise.all(pools.map((pool) => deployMigrations(pool, list)));
  expect(applied.flat()).toEqual(['29990101000000_counted']);
});

test('migrations that these sources do not have are named and stop nothing', async () => {
  const pool = pools[0] as pg.Pool;
  await deployMigrations(pool, await withMigration('29990101000001_newer', 'CREATE TABLE newer (n int);'));
  expect(await deployMigrations(pool)).toEqual([]);
  expect(await findNewerMigrations(pool)).toContain('29990101000001_newer');
});

test('a migration that fails says why, leaves nothing behind, stops later ones and can be tried again', async () => {
  const list = await withMigration(
    '29990102000000_broken',
    'CREATE TABLE good (n int); CREATE TABLE bad (n nonsense);',
  );
  const pool = pools[0] as pg.Pool;
  await expect(deployMigrations(pool, list)).rejects.toThrow('type "nonsense" does not exist');
  const { rows } = await pool.query(`SELECT to_regclass('good') AS good`);
  expect(rows).toEqual([{ good: null }]);
  await expect(deployMigrations(pool, list)).rejects.toThrow('type "nonsense" does not exist');
  await pool.query('CREATE DOMAIN nonsense AS int');
  expect(await deployMigrations(pool, list)).toEqual(['29990102000000_broken']);
});
