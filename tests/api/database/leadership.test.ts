import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createLeadership, type Lease, NotLeadingError } from '#api/database/leadership.ts';
import { beginNextUpdate } from '#api/services/chat/updates.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts';

/** The embedded database belongs to one process. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);
const TIMEOUT = { timeout: 60_000, interval: 10 };

let database: TestDatabase;
let proxy: DatabaseProxy | null = null;
let candidates: Candidate[] = [];

/** What may lead. Notes what happens to all of them in `events`. */
interface Candidate {
  name: string;
  lease: Lease | null;
  resign(): Promise<void>;
}
let events: string[] = [];

function stand(name: string, databaseUrl = database.databaseUrl): Candidate {
  const stopping = new AbortController();
  const candidate: Candidate = { name, lease: null, resign: async () => {} };
  const leading = createLeadership({ databaseUrl }, pino({ level: 'silent' })).runAsLeader(
    stopping.signal,
    async (lease) => {
      candidate.lease = lease;
      events.push(`${name} leads`);
      if (!lease.ending.aborted) await once(lease.ending, 'abort');
      events.push(`${name} has ended`);
    },
  );
  candidate.resign = () => {
    stopping.abort();
    return leading;
  };
  candidates.push(candidate);
  return candidate;
}

const waitFor = (event: string) => vi.waitFor(() => expect(events).toContain(event), TIMEOUT);

beforeAll(async () => {
  database = await borrowTestDatabase();
});
afterAll(() => database.close());
afterEach(async () => {
  proxy?.delay(0);
  await Promise.all(candidates.map((one) => one.resign()));
  await proxy?.close();
  [candidates, events, proxy] = [[], [], null];
});

async function recordUpdate(): Promise<bigint> {
  const chatId = 7n;
  await database.db.telegramUpdate.deleteMany({ where: { chatId } });
  await database.db.telegramUpdate.create({ data: { id: 70, chatId, body: {} } });
  return chatId;
}

/** Ends the session that isHeld the lock, as a restart of the server does, and waits until it is gone. */
async function endSession(): Promise<void> {
  await database.pool.query(`select pg_terminate_backend(pid, 60000) from pg_locks
    join pg_database on pg_database.oid = database
    where locktype = 'advisory' and objsubid = 2 and datname = current_database()`);
}

test('the leader works until it resigns, and an update is begun in its name', async () => {
  const only = stand('only');
  await waitFor('only leads');
  const chatId = await recordUpdate();
  const isHeld = only.lease?.isHeld;
  expect(isHeld && (await beginNextUpdate(database, chatId, isHeld))?.attempts).toBe(1);
  await only.resign();
  expect(events).toEqual(['only leads', 'only has ended']);
});

test.runIf(isOnServer)('a second one leads only after the first has ended', async () => {
  const first = stand('first');
  await waitFor('first leads');
  stand('second');
  await first.resign();
  await waitFor('second leads');
  expect(events).toEqual(['first leads', 'first has ended', 'second leads']);
});

test.runIf(isOnServer)('whoever has lost the connection begins no update, and calls nobody', async () => {
  const first = stand('first');
  await waitFor('first leads');
  const lost = first.lease as Lease;
  const chatId = await recordUpdate();
  await endSession();
  // At once, whether or not the loss was noticed.
  expect(await beginNextUpdate(database, chatId, lost.isHeld)).toBeNull();
  await waitFor('first has ended');
  expect(() => lost.check()).toThrow(NotLeadingError);
  // It leads again, in a new lease. The old one stays over.
  await vi.waitFor(() => expect(events.filter((event) => event === 'first leads')).toHaveLength(2), TIMEOUT);
  expect(await beginNextUpdate(database, chatId, lost.isHeld)).toBeNull();
  expect((await beginNextUpdate(database, chatId, (first.lease as Lease).isHeld))?.attempts).toBe(1);
});

test.runIf(isOnServer)(
  'whoever hears nothing from the database gives up before another one leads',
  async () => {
    proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    stand('unreceived', proxy.urlOf(database.databaseUrl ?? ''));
    await waitFor('unreceived leads');
    stand('other');
    // For longer than the test.
    proxy.delay(10 * 60_000);
    await waitFor('other leads');
    expect(events).toEqual(['unreceived leads', 'unreceived has ended', 'other leads']);
  },
  120_000,
);

test.runIf(isOnServer)('work that ends on its own leaves the lead to others', async () => {
  const log = pino({ level: 'silent' });
  await createLeadership(database, log).runAsLeader(new AbortController().signal, async () => {});
  stand('next');
  await waitFor('next leads');
});
