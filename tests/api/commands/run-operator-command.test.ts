import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runOperatorCommand } from '#api/commands/run-operator-command.ts';
import { readCommandConfig } from '#api/config/config.ts';
import { openDatabase } from '#api/database/database.ts';
import { createServerDatabase, createTestDatabase } from '#tests/support/database.ts';
import { copyEmbeddedTemplate, urlOfDatabase } from '#tests/support/database-template.ts';

const serverUrl = process.env.TEST_DATABASE_URL;
const COMMANDS = [
  ['books', []],
  ['packages', ['add', '--name=Сезон', '--stars=200', '--price=5990']],
  ['admin', ['boss@example.com']],
] as const;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'podium-command-'));
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

const run = (name: string, args: readonly string[], env: Record<string, string | undefined>) =>
  runOperatorCommand(name, [...args], readCommandConfig(env));

describe.each(COMMANDS)('npm run %s', (name, args) => {
  it('refuses a missing folder by its name, and does not create it', async () => {
    const missing = path.join(folder, 'mistyped');
    await expect(run(name, args, { DATA_DIR: missing })).rejects.toThrow(
      `DATA_DIR: a folder with a database of Podium (is «${missing}»`,
    );
    expect(existsSync(missing)).toBe(false);
  });

  it('refuses a folder without a database and leaves it as it is', async () => {
    await expect(run(name, args, { DATA_DIR: folder })).rejects.toThrow(`(is «${folder}»`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(serverUrl)('refuses an empty database of a server and makes no table in it', async () => {
    const { databaseUrl } = await createServerDatabase();
    const refused = expect(run(name, args, { DATA_DIR: path.join(folder, 'none'), DATABASE_URL: databaseUrl })).rejects;
    await refused.toThrow('DATABASE_URL: a database of Podium (the one it names has none of its tables');
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    const { rows } = await client.query(`select schemaname, tablename from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`);
    await client.end();
    expect(rows).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(serverUrl)('says which setting is wrong where the server has no such database', async () => {
    const url = urlOfDatabase(serverUrl ?? '', 'podium_mistyped');
    await expect(run(name, args, { DATA_DIR: folder, DATABASE_URL: url })).rejects.toThrow(
      'DATABASE_URL: a PostgreSQL server with a database of Podium (database "podium_mistyped" does not exist)',
    );
  });
});

it.skipIf(serverUrl)('an embedded database without our tables counts as missing, and gets no tables', async () => {
  await copyEmbeddedTemplate(folder);
  const open = () => PGlite.create({ dataDir: path.join(folder, 'db') });
  const emptied = await open();
  await emptied.exec('drop schema public, pgboss cascade; create schema public');
  await emptied.close();
  await expect(run('books', [], { DATA_DIR: folder })).rejects.toThrow(`(is «${folder}», where there is none`);
  const database = await open();
  const { rows } = await database.query(`select tablename from pg_tables where schemaname = 'public'`);
  await database.close();
  expect(rows).toEqual([]);
});

it('a server that cannot be reached is named by its setting', async () => {
  const refused = expect(
    run('books', [], { DATA_DIR: folder, DATABASE_URL: 'postgresql://127.0.0.1:1/podium' }),
  ).rejects;
  await refused.toThrow('DATABASE_URL: a PostgreSQL server with a database of Podium (connect ECONNREFUSED');
});

it('an existing database is used, by DATA_DIR or DATABASE_URL alone, unless it waits for a migration', async () => {
  const place = await createTestDatabase();
  const env = { DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl };
  const before = readdirSync(place.dataDir);
  expect(await run('books', [], env)).toContain('Книги сходятся.');
  const admin = run('admin', ['boss@example.com'], env);
  await expect(admin).rejects.toThrow(`SESSION_SECRET: the server's own (is not set, and there is no ${place.dataDir}`);
  expect(await run('admin', ['boss@example.com'], { ...env, SESSION_SECRET: 'x'.repeat(32) })).toMatch(
    /^Пароль: \S+$/m,
  );
  // Opening the embedded database leaves its lock file behind.
  expect(readdirSync(place.dataDir).filter((name) => !before.includes(name) && !name.startsWith('in-use.'))).toEqual(
    [],
  );

  const database = await openDatabase(place, pino({ level: 'silent' }));
  const { rows } = await database.pool.query<{ name: string }>('SELECT migration_name AS name FROM _prisma_migrations');
  await database.pool.query(`UPDATE _prisma_migrations SET checksum = 'of another content'`);
  await database.close();
  await expect(run('books', [], env)).rejects.toThrow(`The database waits for migrations (${rows[0]?.name})`);
  await place.remove();
});
