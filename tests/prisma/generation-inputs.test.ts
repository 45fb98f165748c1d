import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUnusedPhotos } from '#api/services/photos/unused.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount } from '#tests/support/factories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('the photos to remove are found without a look at the used ones, however many there are', async () => {
  const { id: accountId } = await createAccount(database);
  await database.db.$executeRaw`
    insert into photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key,
      master_bytes, preview_bytes, thumbnail_bytes, stored_bytes, created_at)
    select gen_random_uuid(), ${accountId}, '', '', 1, 1, 1, '', '', '', 1, 1, 1, 3, now() - interval '8 days'
    from generate_series(1, 40000)`;
  await database.db.$executeRaw`
    insert into generations (id, account_id, kind, status, settings, stars, request_hash, engine)
    select id, ${accountId}, 'video', 'completed', '{}', 1, '', 'local' from photos
    where id < 'ff000000-0000-0000-0000-000000000000'`;
  await database.db.$executeRaw`
    insert into generation_inputs select id, 0, 'subject', id from generations`;
  await database.pool.query('analyze photos, generation_inputs, unused_photos');
  const { found, read } = await database.db.$transaction(async (tx) => {
    const readRows = async () => {
      const [row] = await tx.$queryRaw<[{ rows: number }]>`
        select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
        where relname in ('generation_inputs', 'photos') and schemaname = 'public'`;
      return row.rows;
    };
    const before = await readRows();
    const found = await listUnusedPhotos(tx, new Date());
    return { found, read: (await readRows()) - before };
  });
  expect(found).toHaveLength(100);
  for (const { id } of found) expect(id > 'ff000000').toBe(true);
  expect(read).toBe(100);
});
