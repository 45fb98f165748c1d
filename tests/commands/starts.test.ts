import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { ROLES } from '#api/config/settings.ts';
import { createServerDatabase, createTestDatabase } from '#tests/support/database.ts';
import { type Role, startServer } from '#tests/support/running-server.ts';

/** Several processes share a database only on a server. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

async function start(roles: readonly Role[], place: { dataDir: string; databaseUrl: string | undefined }) {
  const running = await startServer({ ...place, roles });
  onTestFinished(() => running.kill());
  return running;
}

test.runIf(isOnServer)('processes that start at the same moment on an empty database all come up', async () => {
  const { dataDir, remove } = await createTestDatabase();
  onTestFinished(remove);
  const { databaseUrl, drop } = await createServerDatabase();
  onTestFinished(drop);
  const running = await Promise.all(ROLES.map((role) => start([role], { dataDir, databaseUrl })));
  expect(running.map((one) => one.exitCode())).toEqual([null, null, null]);
});

test.runIf(isOnServer)('a process starts while others read every table and hold rows that they change', async () => {
  const place = await createTestDatabase();
  onTestFinished(() => place.remove());
  const busy = new pg.Client({ connectionString: place.databaseUrl });
  await busy.connect();
  onTestFinished(() => busy.end());
  // A backup reads so. Changes take this lock on their tables.
  await busy.query(`begin; do $$ begin execute (
    select 'lock table ' || string_agg(format('%I.%I', schemaname, tablename), ', ') || ' in row exclusive mode'
    from pg_tables where schemaname in ('public', 'pgboss')); end $$`);
  await busy.query('select from star_packages for update');
  expect((await start(ROLES, place)).output()).toContain('is ready after');
  const { rows } = await busy.query<{ open: boolean }>('select pg_current_xact_id_if_assigned() is not null as open');
  expect(rows).toEqual([{ open: true }]);
  await busy.query('rollback');
});
