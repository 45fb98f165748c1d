import { afterAll, beforeAll, expect, test } from 'vitest';
import { listUnusedPhotos } from '#api/services/photos/unused.ts';
import { readMigrations } from '#prisma/schema-engine.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { createAccount } from '#tests/support/factories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** The migrations before the one that made the table, and that one. */
async function readScripts() {
  const { migrationDirectories } = await readMigrations();
  const scripts = migrationDirectories.map(({ path, migrationFile: { content } }) => {
    if (content.tag !== 'ok') throw new Error(`${path} cannot be read`);
    return { path, sql: content.value };
  });
  const place = scripts.findIndex(({ path }) => path.endsWith('_generation_inputs'));
  return { before: scripts.slice(0, place), own: scripts[place]?.sql ?? '' };
}

test('the photos of generations become inputs, and their old column goes', async () => {
  const { before, own } = await readScripts();
  const client = await database.pool.connect();
  try {
    // The old tables get a schema of their own.
    await client.query('CREATE SCHEMA past; SET search_path TO past');
    for (const { sql } of before) await client.query(sql);
    await client.query(`
      INSERT INTO accounts (id, username) VALUES (1, '');
      INSERT INTO photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key)
      SELECT gen_random_uuid(), 1, '', '', 1, 1, 1, '', '', '' FROM generate_series(1, 20);
      INSERT INTO generations (id, account_id, kind, status, photo_id, settings, stars, request_hash, engine)
      SELECT gen_random_uuid(), 1, 'video', 'completed', id, '{}', 1, '', 'local' FROM photos, generate_series(1, 2)`);
    const { rows: old } = await client.query('SELECT id, photo_id FROM generations ORDER BY id');
    await client.query(own);
    const { rows: inputs } = await client.query('SELECT * FROM generation_inputs ORDER BY generation_id');
    expect(inputs).toHaveLength(40);
    expect(inputs).toEqual(
      old.map(({ id, photo_id }) => ({ generation_id: id, position: 0, role: 'subject', photo_id })),
    );
    const { fields } = await client.query('SELECT * FROM generations LIMIT 0');
    expect(fields.map(({ name }) => name)).not.toContain('photo_id');
    // A used photo cannot be removed, a position has one photo, and both the photo and the generation must exist.
    await expect(client.query('DELETE FROM photos')).rejects.toThrow('generation_inputs_photo_id_fkey');
    await expect(client.query('INSERT INTO generation_inputs SELECT * FROM generation_inputs')).rejects.toThrow(
      'generation_inputs_pkey',
    );
    await expect(
      client.query(`INSERT INTO generation_inputs SELECT gen_random_uuid(), 0, 'subject', id FROM photos LIMIT 1`),
    ).rejects.toThrow('generation_inputs_generation_id_fkey');
  } finally {
    await client.query('RESET search_path; DROP SCHEMA past CASCADE');
    client.release();
  }
});

test('the photos to remove are found without a look at the used ones, however many there are', async () => {
  const { id: accountId } = await createAccount(database);
  await database.db.$executeRaw`
    insert into photos (id, account_id, name, type, size, width, height, master_key, preview_key, thumbnail_key,
      stored_bytes, created_at)
    select gen_random_uuid(), ${accountId}, '', '', 1, 1, 1, '', '', '', 1, now() - interval '8 days'
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
