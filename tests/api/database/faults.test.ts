import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PaymentProviderUnavailableError } from '#api/adapters/payments/payment-provider.ts';
import { StorageUnavailableError } from '#api/adapters/storage/object-storage.ts';
import { openDatabase, type Tx } from '#api/database/database.ts';
import { isDatabaseFault, isOutcomeUnknown } from '#api/database/faults.ts';
import { DatabasePool } from '#api/database/pool.ts';
import { PrismaClient } from '#prisma/generated/client.ts';
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { copyEmbeddedTemplate } from '#tests/support/database-template.ts';
import { until } from '#tests/support/until.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.pool.query(`
    CREATE FUNCTION fail(code text) RETURNS int LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = code; END $$;
    CREATE FUNCTION fail_as_told() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM fail(current_setting('test.code')); END $$;
    CREATE TRIGGER fail_as_told BEFORE UPDATE ON star_packages FOR EACH ROW EXECUTE FUNCTION fail_as_told()`);
});
afterAll(() => database.close());

/** The errors of a raw statement and of a model's call in a transaction for which the database fails with this code. */
async function failWith(code: string): Promise<unknown[]> {
  const raw = database.db.$queryRaw`SELECT fail(${code})`;
  const model = database.db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT set_config('test.code', ${code}, true)`;
    await tx.starPackage.updateMany({ data: { stars: 7 } });
  });
  return Promise.all([raw, model].map((call) => call.then(() => 'no error').catch((error: unknown) => error)));
}

test.each([
  ['too many connections', '53300'],
  ['a full disk', '53100'],
  ['too little memory', '53200'],
  ['an error of the file system', '58030'],
  ['a statement timeout', '57014'],
  ['a lock timeout', '55P03'],
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a transaction that was idle for too long', '25P03'],
  ['a standby, which cannot write', '25006'],
  ['a server that shuts down', '57P01'],
  ['a server that starts', '57P03'],
])('%s is a fault of the database, and no error of the program', async (_, code) => {
  expect((await failWith(code)).map(isDatabaseFault)).toEqual([true, true]);
});

test('so is an embedded database that has broken, and nobody knows what became of its statements', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-broken-'));
  await copyEmbeddedTemplate(dataDir);
  const broken = await openDatabase({ dataDir, databaseUrl: undefined }, pino({ level: 'silent' }));
  // PostgreSQL refuses so many levels. In WebAssembly the stack ends first.
  const tooDeep = broken.db.$queryRaw`SELECT (repeat('[', 200000) || repeat(']', 200000))::jsonb`;
  const fail = (call: Promise<unknown>) => call.then(() => 'no error').catch((error: unknown) => error);
  const first = await fail(tooDeep);
  const later = await Promise.all([broken.db.account.count(), broken.pool.query('SELECT 1')].map(fail));
  expect([first, ...later].map(isDatabaseFault)).toEqual([true, true, true]);
  expect(isOutcomeUnknown(first)).toBe(true);
  await broken.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each([
  ['a broken check', '23514'],
  ['a statement with wrong syntax', '42601'],
  ['a division by zero', '22012'],
])('%s is an error of the program', async (_, code) => {
  expect((await failWith(code)).map(isDatabaseFault)).toEqual([false, false]);
});

test.runIf(process.env.TEST_DATABASE_URL)('a connection that ends is a fault of the database', async () => {
  const other = await openDatabase(database, pino({ level: 'silent' }));
  /** Ends the connection that serves the transaction, and waits for that. */
  const end = async (pid: number) => database.pool.query('SELECT pg_terminate_backend($1, 60000)', [pid]);
  const getPid = async (tx: Tx) => (await tx.$queryRaw<[{ pid: number }]>`SELECT pg_backend_pid() AS pid`)[0].pid;
  const between = other.db.$transaction(async (tx) => {
    await end(await getPid(tx));
    await tx.starPackage.findMany();
  });
  const during = other.db.$transaction(async (tx) => {
    const pid = await getPid(tx);
    await Promise.all([tx.$queryRaw`SELECT pg_sleep(60)::text`, end(pid)]);
  });
  const atCommit = other.db.$transaction(async (tx) => end(await getPid(tx)));
  const outcomes = await Promise.allSettled([between, during, atCommit]);
  await other.close();
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && isDatabaseFault(outcome.reason))).toEqual([
    true,
    true,
    true,
  ]);
});

test.runIf(process.env.TEST_DATABASE_URL)('a connection that is reset is a fault of the database', async () => {
  const pool = new DatabasePool({ connectionString: database.databaseUrl, max: 2, connectionTimeoutMillis: 60_000 });
  pool.on('error', () => undefined);
  const sockets: Socket[] = [];
  pool.on('connect', (client) =>
    sockets.push((client as unknown as { connection: { stream: Socket } }).connection.stream),
  );
  const sleep = 'SELECT pg_sleep(60)';
  const calls = [
    pool.query(sleep),
    pool.connect().then((client) => client.query(sleep).finally(() => client.release(true))),
  ];
  const errors = Promise.all(calls.map((call) => call.catch((error: unknown) => error)));
  await until(async () => {
    const { rows } = await database.pool.query('SELECT FROM pg_stat_activity WHERE query = $1', [sleep]);
    expect(rows).toHaveLength(2);
  });
  for (const socket of sockets) socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  expect((await errors).map((error) => [isDatabaseFault(error), isOutcomeUnknown(error)])).toEqual([
    [true, true],
    [true, true],
  ]);
  await pool.end();
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND'])(
  '%s of a payment provider, a storage or a mail server is no fault of the database',
  (code) => {
    const cause = Object.assign(new Error(`connect ${code}`), { code, errno: -1, syscall: 'connect' });
    const errors = [
      cause,
      new PaymentProviderUnavailableError('no answer', { cause: new TypeError('fetch failed', { cause }) }),
      new StorageUnavailableError(cause),
    ];
    expect(errors.map(isDatabaseFault)).toEqual([false, false, false]);
  },
);

test('a statement for which there is no connection was not sent, so its outcome is known', async () => {
  // The connection is refused at once. A limit that is over first, while the machine is busy, is another fault.
  const pool = new DatabasePool({ host: '127.0.0.1', port: 1, max: 2, connectionTimeoutMillis: 60_000 });
  const db = new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions: { maxWait: 60_000 } });
  const calls = [db.$queryRaw`select 1`, db.starPackage.findMany(), db.$transaction((tx) => tx.starPackage.findMany())];
  const errors: unknown[] = await Promise.all(calls.map((call) => call.then(() => null).catch((error) => error)));
  expect(errors.map(isDatabaseFault)).toEqual([true, true, true]);
  expect(errors.map(isOutcomeUnknown)).toEqual([false, false, false]);
  expect(isOutcomeUnknown(new Error('Connection terminated unexpectedly'))).toBe(true);
  await pool.end();
});
