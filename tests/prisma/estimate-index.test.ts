import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#api/db.ts';
import { estimateSeconds } from '#api/services/generations/progress.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount } from '#tests/support/factories.ts';

const ROWS = 20_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  const { id: accountId } = await createAccount(database);
  // A long past: videos of two lengths, pictures, and some failures.
  await database.db.$executeRaw`
    insert into generations (id, account_id, kind, status, settings, stars, request_hash, engine, created_at, finished_at)
    select gen_random_uuid(), ${accountId},
      (case when i % 4 < 3 then 'video' else 'photosession' end)::generation_kind,
      (case when i % 10 = 0 then 'failed' else 'completed' end)::generation_status,
      case when i % 4 = 3 then '{}'::jsonb else jsonb_build_object('duration', case when i % 100 = 1 then 10 else 5 end) end,
      1, '\\x00'::bytea, 'local',
      now() - i * interval '1 minute', now() - i * interval '1 minute' + interval '30 seconds'
    from generate_series(1, ${ROWS}::int) as i`;
  await database.pool.query('analyze generations');
});
afterAll(() => database.close());

test.each<['video' | 'photosession', number | null, number | null]>([
  ['video', 5, 30],
  ['video', 10, 30],
  // There is no video of this length, so a search without the index would read the whole past.
  ['video', 15, null],
  ['photosession', null, 30],
])(
  'an estimate for a %s of %s seconds reads the runs that it counts and no others',
  async (kind, videoSeconds, expected) => {
    const { estimate, read } = await database.db.$transaction(async (tx) => {
      const readRows = async () => {
        const [row] = await tx.$queryRaw<[{ scanned: number; fetched: number }]>`
        select seq_scan::int as scanned, coalesce(idx_tup_fetch, 0)::int as fetched
        from pg_stat_xact_user_tables where relname = 'generations'`;
        return row;
      };
      const before = await readRows();
      const estimate = await estimateSeconds({ db: tx as Db }, { kind, engine: 'local', videoSeconds });
      const after = await readRows();
      return { estimate, read: { scanned: after.scanned - before.scanned, fetched: after.fetched - before.fetched } };
    });
    expect(estimate).toBe(expected);
    expect(read.scanned).toBe(0);
    expect(read.fetched).toBeLessThanOrEqual(20);
  },
);
