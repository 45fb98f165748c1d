import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connections, countConnections } from '#api/config/connections.ts';
import { ROLES } from '#api/config/settings.ts';
import { openDatabase, openExistingDatabase } from '#api/database/database.ts';
import { isDatabaseFault } from '#api/database/faults.ts';
import { createTestDatabase, type TestDatabasePlace } from '#tests/support/database.ts';

const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
const log = pino({ level: 'silent' });
let place: TestDatabasePlace;

beforeAll(async () => {
  place = await createTestDatabase();
});
afterAll(() => place.remove());

test.runIf(isOnServer)('a statement that takes too long is given up', async () => {
  const database = await openDatabase({ ...place, connections: countConnections(ROLES) }, log);
  try {
    expect((await database.pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
  } finally {
    await database.close();
  }
});

test('a process that serves plans a statement once in a connection, and a command does not keep it', async () => {
  const countKept = async (connections?: Connections) => {
    const database = await openDatabase({ ...place, connections }, log);
    try {
      return await database.db.$transaction(async (tx) => {
        for (const id of [1, 2]) await tx.account.findUnique({ where: { id } });
        const [{ kept }] = await tx.$queryRaw<[{ kept: number }]>`
          select count(*)::int as kept from pg_prepared_statements where statement like '%"accounts"%'`;
        return kept;
      });
    } finally {
      await database.close();
    }
  };
  expect(await countKept(countConnections(ROLES))).toBe(1);
  expect(await countKept()).toBe(0);
});

test.runIf(isOnServer)(
  'a server that accepts connections and never answers counts as unreachable within seconds',
  async () => {
    let isSilent = false;
    const target = new URL(place.databaseUrl ?? '');
    const proxy = createServer((socket) => {
      socket.on('error', () => undefined);
      if (isSilent) return;
      const server = connect(Number(target.port), target.hostname).on('error', () => undefined);
      socket.pipe(server).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(target);
    url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const database = await openDatabase({ dataDir: place.dataDir, databaseUrl: url.href }, log);
    try {
      isSilent = true;
      const startedAt = performance.now();
      // There are more queries than connections from before, so some need a new one.
      const answers = await Promise.allSettled(
        Array.from({ length: 5 }, () => database.db.$queryRaw`select pg_sleep(1)::text`),
      );
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      const refusals = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason);
      expect(refusals.length).toBeGreaterThan(0);
      expect(refusals.filter((error) => !isDatabaseFault(error))).toEqual([]);
    } finally {
      await database.close();
      proxy.close();
    }
  },
);

test('a database of a version before 0.2.0 is refused by one sentence, at the start and by a command', async () => {
  const old = await createTestDatabase();
  const database = await openDatabase(old, log);
  await database.pool.query(`update _prisma_migrations set migration_name = '20261121080603_init'`);
  await database.close();
  const refusal = {
    name: 'UnfitDatabaseError',
    message: expect.stringMatching(
      /^(DATABASE_URL: an empty database|DATA_DIR: a new folder) .* before 0\.2\.0, which/,
    ),
  };
  await expect(openDatabase(old, log)).rejects.toMatchObject(refusal);
  await expect(openExistingDatabase(old, log)).rejects.toMatchObject(refusal);
  await old.remove();
});
