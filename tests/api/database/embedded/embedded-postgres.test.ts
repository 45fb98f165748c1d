import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEmbeddedPostgres } from '#api/database/embedded/open-embedded-postgres.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { mountSmallDisk } from '#tests/support/small-disk.ts';

/** A segment of the write-ahead log. A new one is needed when this is written. */
const WAL_SEGMENT = 16 * 1024 * 1024;
/** PostgreSQL refuses levels beyond its stack. In WebAssembly they end the engine. */
const TOO_DEEP = "select (repeat('[', 200000) || repeat(']', 200000))::jsonb";

async function open(dataDir: string) {
  const onCrash = vi.fn();
  const { pool, close } = await openEmbeddedPostgres(dataDir, onCrash);
  pool.on('error', () => undefined);
  return { pool, close, onCrash };
}

describe('a database that breaks in the middle of a statement', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'podium-embedded-'));
    await copyEmbeddedTemplate(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.for([
    ['with parameters', (pool: pg.Pool) => pool.query(`${TOO_DEEP}, $1::int`, [1])],
    ['without', (pool: pg.Pool) => pool.query(TOO_DEEP)],
  ] as const)('fails the statement, %s, and all later ones at once, and is reported once', async ([, ask]) => {
    const { pool, close, onCrash } = await open(folder);
    await expect(ask(pool)).rejects.toMatchObject({ code: '08006' });
    await expect(pool.query('SELECT 1')).rejects.toMatchObject({ code: '08006' });
    expect(onCrash).toHaveBeenCalledTimes(1);
    await close();
  });
});

test('a log that cannot grow on a full disk ends the database, and what was acknowledged is there when it opens again', async (context) => {
  const disk = mountSmallDisk(8 * WAL_SEGMENT);
  if (!disk) return context.skip('this user may not mount');
  try {
    await copyEmbeddedTemplate(disk.folder);
    const first = await open(disk.folder);
    await first.pool.query('CREATE TABLE acknowledged AS select 1 as id');
    disk.leave(0);
    const fill = async () => {
      for (;;) await first.pool.query("select pg_logical_emit_message(false, '', repeat('x', 1000000))");
    };
    await expect(fill()).rejects.toMatchObject({ code: '08006', message: expect.stringContaining('No space left') });
    await expect(first.pool.query('SELECT 1')).rejects.toMatchObject({ code: '08006' });
    expect(first.onCrash).toHaveBeenCalledTimes(1);
    await first.close();

    disk.makeRoom();
    const { pool, close } = await open(disk.folder);
    expect((await pool.query('select id from acknowledged')).rows).toEqual([{ id: 1 }]);
    await close();
  } finally {
    disk.remove();
  }
});
