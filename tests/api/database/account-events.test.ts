import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { countConnections } from '#api/config/connections.ts';
import { type AccountEvent, createAccountEvents, sendAccountEvent } from '#api/database/account-events.ts';
import { borrowTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#tests/support/database-proxy.ts';

const TIMEOUT = { timeout: 60_000, interval: 10 };
const ACCOUNT_EVENT = { accountId: 7, event: 'balance' } as const;

// The embedded database has no connection that could go silent.
describe.runIf(process.env.TEST_DATABASE_URL)('a server that has gone silent', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let heard: (AccountEvent | 'gap')[];

  beforeAll(async () => {
    database = await borrowTestDatabase();
  });
  beforeEach(async () => {
    proxy = await startDatabaseProxy(database.databaseUrl ?? '');
    heard = [];
  });
  afterEach(() => proxy.close());
  afterAll(() => database.close());

  function listen(): Promise<() => Promise<void>> {
    const config = { databaseUrl: proxy.urlOf(database.databaseUrl ?? ''), connections: countConnections(['api']) };
    return createAccountEvents(database, config, pino({ level: 'silent' })).listen(
      (accountEvent) => void heard.push(accountEvent),
    );
  }

  test('is noticed: the listener is told of a gap and hears the next account event', async () => {
    const stop = await listen();
    proxy.silence();
    await sendAccountEvent(database.db, ACCOUNT_EVENT);
    await vi.waitFor(() => expect(heard).toEqual(['gap']), TIMEOUT);
    await sendAccountEvent(database.db, ACCOUNT_EVENT);
    await vi.waitFor(() => expect(heard).toEqual(['gap', ACCOUNT_EVENT]), TIMEOUT);
    await stop();
  });

  test('does not hold up the stop', async () => {
    const stop = await listen();
    proxy.silence();
    const startedAt = performance.now();
    await stop();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test('is not waited for by a listener that begins', { timeout: 30_000 }, async () => {
    // For longer than the test.
    proxy.delay(10 * 60_000);
    await expect(listen()).rejects.toThrow('timeout');
  });
});
