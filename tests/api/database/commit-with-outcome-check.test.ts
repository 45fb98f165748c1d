import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commitWithOutcomeCheck } from '#api/database/commit-with-outcome-check.ts';
import type { Db, Tx } from '#api/database/database.ts';
import { isOutcomeUnknown } from '#api/database/faults.ts';
import { DatabasePool } from '#api/database/pool.ts';
import { PrismaClient } from '#prisma/generated/client.ts';
import { findPostgresBinaries, type PrivatePostgres, startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { until } from '#tests/support/until.ts';

describe.skipIf(!findPostgresBinaries())('when PostgreSQL crashes before a commit is on its disk', () => {
  let server: PrivatePostgres;
  let pool: pg.Pool;
  let db: Db;

  beforeAll(async () => {
    server = await startPrivatePostgres({ wal_writer_delay: '10s' });
    pool = new DatabasePool({ connectionString: server.url, max: 2, connectionTimeoutMillis: 5_000 });
    pool.on('error', () => undefined);
    db = new PrismaClient({ adapter: new PrismaPg(pool) });
    await pool.query('create table notes (text text)');
    await pool.query('checkpoint');
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  /** As if the server crashed during each commit: one of its processes is killed, and it recovers. */
  function crashAtCommit(afterwards: () => Promise<void>): Db {
    const $transaction = (work: (tx: Tx) => Promise<unknown>) =>
      db.$transaction(async (tx) => {
        const [{ pid }] = await tx.$queryRaw<[{ pid: number }]>`select pg_backend_pid() as pid`;
        const result = await work(tx);
        process.kill(pid, 'SIGKILL');
        await until(() => query('select 1'));
        await afterwards();
        return result;
      });
    return Object.create(db, { $transaction: { value: $transaction } });
  }

  async function query(sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: server.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }

  /**
   * How a write of ours ends. `afterwards` gets its id and says whether the crash went as meant: the server may have put
   * the write on its disk before, and then there is another try.
   */
  async function write(afterwards: (id: string) => Promise<boolean>): Promise<unknown> {
    let isAsMeant = false;
    let outcome: unknown;
    while (!isAsMeant) {
      let id = '';
      const crashing = crashAtCommit(async () => {
        isAsMeant = await afterwards(id);
      });
      const work = commitWithOutcomeCheck(crashing, async (tx) => {
        await tx.$executeRaw`insert into notes values ('ours')`;
        [{ id }] = await tx.$queryRaw<[{ id: string }]>`select pg_current_xact_id()::text as id`;
      });
      outcome = await work.catch((error: unknown) => error);
    }
    return outcome;
  }

  test('a write whose id is lost fails with the error of its connection', async () => {
    const error = await write((id) =>
      query(`select pg_xact_status('${id}')`).then(
        () => false,
        (refusal: pg.DatabaseError) => refusal.code === '22023',
      ),
    );
    expect(isOutcomeUnknown(error), String(error)).toBe(true);
    expect((await query("select from notes where text = 'ours'")).rowCount).toBe(0);
  });

  test('a write whose id was given to another transaction is not taken for committed', async () => {
    const error = await write(async (id) => {
      const { rows } = await query("insert into notes values ('theirs') returning pg_current_xact_id()::text as id");
      return rows[0].id === id;
    });
    expect(isOutcomeUnknown(error), String(error)).toBe(true);
    expect((await query("select from notes where text = 'ours'")).rowCount).toBe(0);
  });
});
