import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, databasePrefix } from '#tests/support/database.ts';
import { urlOfDatabase } from '#tests/support/database-template.ts';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { type Role, startServer } from '#tests/support/running-server.ts';

const serverUrl = process.env.TEST_DATABASE_URL ?? '';
/** Several processes share a database only on a server. */
const isOnServer = serverUrl !== '';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  closers.push(() => client.end());
  return client;
}

async function start(role: Role, place: { dataDir: string; databaseUrl: string | undefined }) {
  const running = await startServer({ ...place, port: await findFreePort(), roles: [role] });
  closers.push(() => running.kill());
  return running;
}

test.runIf(isOnServer)('processes that start at the same moment on an empty database all come up', async () => {
  const { dataDir, remove } = await createTestDatabase();
  closers.push(remove);
  const name = `${databasePrefix()}${randomUUID().replaceAll('-', '')}`;
  const server = await connect(serverUrl);
  await server.query(`create database ${name}`);
  closers.push(() => server.query(`drop database ${name} with (force)`));
  const databaseUrl = urlOfDatabase(serverUrl, name);
  const roles: Role[] = ['api', 'worker', 'bot'];
  const running = await Promise.all(roles.map((role) => start(role, { dataDir, databaseUrl })));
  expect(running.map((one) => one.exitCode())).toEqual([null, null, null]);
});

test.runIf(isOnServer)('a process starts while others read every table and hold rows that they change', async () => {
  const place = await createTestDatabase();
  closers.push(() => place.remove());
  const busy = await connect(place.databaseUrl ?? '');
  // A backup reads so. Changes take this lock on their tables.
  await busy.query(`begin; do $$ begin execute (
    select 'lock table ' || string_agg(format('%I.%I', schemaname, tablename), ', ') || ' in row exclusive mode'
    from pg_tables where schemaname in ('public', 'pgboss')); end $$`);
  await busy.query('select from star_packages for update');
  for (const role of ['api', 'worker', 'bot'] as const) {
    expect((await start(role, place)).output()).toContain('is ready after');
  }
  const { rows } = await busy.query<{ open: boolean }>('select pg_current_xact_id_if_assigned() is not null as open');
  expect(rows).toEqual([{ open: true }]);
  await busy.query('rollback');
});
