import { createWriteStream, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { describe, expect, test } from 'vitest';
import * as listeningPool from '#api/database/embedded/listening-pool.ts';
import * as pgliteStream from '#api/database/embedded/pglite-stream.ts';
import * as databasePool from '#api/database/pool.ts';
import * as pgBossInternals from '#api/queue/pg-boss-internals.ts';
import { describeConnections } from '#api/queue/queue.ts';
import * as databaseErrors from '#prisma/database-errors.ts';
import * as schemaEngine from '#prisma/schema-engine.ts';
import * as reactRouterAlias from '#pwa/react-router-alias.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** The files that depend on undocumented parts of a library, with the versions that each was written for. */
const RELIANCES: Record<string, Record<string, string>> = {
  'api/queue/pg-boss-internals.ts': pgBossInternals.WRITTEN_FOR,
  'prisma/schema-engine.ts': schemaEngine.WRITTEN_FOR,
  'prisma/database-errors.ts': databaseErrors.WRITTEN_FOR,
  'pwa/react-router-alias.ts': reactRouterAlias.WRITTEN_FOR,
  'api/database/embedded/pglite-stream.ts': pgliteStream.WRITTEN_FOR,
  'api/database/embedded/listening-pool.ts': listeningPool.WRITTEN_FOR,
  'api/database/pool.ts': databasePool.WRITTEN_FOR,
};

function readPackageFile(name: string): string {
  return readFileSync(path.join(ROOT, 'node_modules', name), 'utf8');
}

describe.each(Object.entries(RELIANCES))('%s', (file, versions) => {
  test.each(Object.entries(versions))('knows the installed %s', (name, version) => {
    const installed: string = JSON.parse(readPackageFile(`${name}/package.json`)).version;
    expect(
      installed,
      `${name} is ${installed} now. ${file} leans on its insides and was written for ${version}: ` +
        'read what changed there, run the tests of that file, then raise WRITTEN_FOR in it.',
    ).toBe(version);
  });
});

test('a pipeline of streams, with no generator among them, fails only after its file is closed', async () => {
  const broken: Readable = new Readable({ read: () => broken.destroy(new Error('cut')) });
  const folder = await mkdtemp(path.join(tmpdir(), 'podium-pipeline-'));
  const file = createWriteStream(path.join(folder, 'photo'));
  await expect(pipeline(broken, new PassThrough(), file)).rejects.toThrow('cut');
  const wasClosed = file.closed;
  await rm(folder, { recursive: true });
  expect(wasClosed, 'photos.ts removes the folder of an upload that was cut while its file is being opened').toBe(true);
});

test('the stream to PGlite has all that pg calls on its socket', () => {
  const calls = readPackageFile('pg/lib/connection.js').matchAll(/\bthis\.stream\.(\w+)\(/g);
  const called = new Set([...calls].map((call) => call[1] ?? ''));
  expect(called, 'pg keeps its socket under another name: look at pg/lib/connection.js').toContain('write');
  const missing = [...called].filter((method) => !(method in pgliteStream.PGliteStream.prototype));
  expect(missing, 'pg calls more of its socket than api/database/embedded/pglite-stream.ts has').toEqual([]);
});

test('pg-boss hands the limits of its connections to its pool', async () => {
  const limits = describeConnections({ queue: 2, name: 'podium test' });
  expect(limits).toMatchObject({ keepAlive: true, query_timeout: 35_000 });
  const boss = new PgBoss({ connectionString: 'postgres://nobody@127.0.0.1:1/none', ...limits });
  // Makes the pool, which connects for its first statement only.
  const db = boss.getDb() as unknown as { open(): Promise<void>; close(): Promise<void>; pool: pg.Pool };
  await db.open();
  expect(db.pool.options, 'pg-boss keeps them back: look at pg-boss/dist/db.js').toMatchObject(limits);
  await db.close();
});

test('the production build of react-router is where the alias looks for it', () => {
  const files = reactRouterAlias.aliasReactRouter(ROOT).map(({ replacement }) => replacement);
  const missing = files.filter((file) => !existsSync(file));
  expect(missing, 'react-router has moved its production build: correct pwa/react-router-alias.ts').toEqual([]);
});
