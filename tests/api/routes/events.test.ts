import { pino } from 'pino';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { ACCOUNT_EVENTS_CHANNEL, sendAccountEvent } from '#api/database/account-events.ts';
import { openDatabase } from '#api/database/database.ts';
import { removeSessions, startSession } from '#api/services/accounts/sessions.ts';
import { completeGeneration, endGeneration } from '#api/services/generations/running/outcome.ts';
import { type EventReader, openEvents } from '#tests/support/event-reader.ts';
import { createAccount, createGeneration } from '#tests/support/factories.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let url: string;
let readers: EventReader[] = [];

beforeAll(async () => {
  url = `${await testApp.server.listen({ port: 0, host: '127.0.0.1' })}/api/events`;
});
afterEach(() => {
  for (const reader of readers) reader.close();
  readers = [];
});

interface TestUser {
  accountId: number;
  cookie: string;
}

/** Signs a new account in without the forms, because registering would send events too. */
async function signUp(): Promise<TestUser> {
  const { id: accountId } = await createAccount(testApp.app);
  const { token } = await testApp.app.db.$transaction((tx) =>
    startSession(tx, accountId, { userAgent: 'tests', sessionToken: null }),
  );
  return { accountId, cookie: `podium_session=${token}` };
}

async function follow(user: TestUser): Promise<EventReader> {
  const reader = await openEvents(url, { cookie: user.cookie });
  readers.push(reader);
  return reader;
}

test('neither browsers nor proxies keep or change the stream', async () => {
  const { status, headers } = await follow(await signUp());
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('content-encoding')).toBeNull();
});

test('a stream that finds its session long unused extends the cookie, as every answer does', async () => {
  const user = await signUp();
  const lastSeenAt = new Date(Date.now() - 24 * 3_600_000);
  await testApp.app.db.session.updateMany({ where: { accountId: user.accountId }, data: { lastSeenAt } });
  const renewed = (await follow(user)).headers.getSetCookie();
  expect(renewed).toEqual([
    expect.stringMatching(new RegExp(`^${user.cookie}; Max-Age=\\d+; Path=/; HttpOnly; SameSite=Lax$`)),
    expect.stringMatching(/^podium_signed_in=1; Max-Age=\d+; Path=\/; SameSite=Lax$/),
  ]);
  expect((await follow(user)).headers.getSetCookie()).toEqual([]);
});

test('a stream carries the headers of every answer', async () => {
  const { headers } = await follow(await signUp());
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
});

test('only the owner is told that a generation or the balance has changed, and nothing more', async () => {
  const [owner, stranger] = [await signUp(), await signUp()];
  const accountId = owner.accountId;
  const [own, foreign] = [await follow(owner), await follow(stranger)];
  const id = await createGeneration(testApp.app, accountId, 'photosession', 'generating');
  const generation = await testApp.app.db.generation.findUniqueOrThrow({ where: { id } });
  await endGeneration(testApp.app, generation, 'engine_error');
  const told = [await own.next(), await own.next()].sort((a, b) => (a?.event ?? '').localeCompare(b?.event ?? ''));
  expect(told).toEqual([
    { event: 'balance', data: {} },
    { event: 'generation', data: { id, kind: 'photosession' } },
  ]);
  await expect(foreign.next(300)).rejects.toThrow('no event');
});

test('what only the newer program of another process tells is ignored', async () => {
  const user = await signUp();
  const stream = await follow(user);
  const accountEvent = { accountId: user.accountId, event: 'balance' } as const;
  await sendAccountEvent(testApp.app.db, { ...accountEvent, event: 'hologram' as 'balance' });
  await testApp.app.db.$executeRaw`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, 'no JSON')`;
  await sendAccountEvent(testApp.app.db, accountEvent);
  expect(await stream.next()).toEqual({ event: 'balance', data: {} });
});

test('a change that is rolled back is not told', async () => {
  const user = await signUp();
  const stream = await follow(user);
  const accountEvent = { accountId: user.accountId, event: 'balance' } as const;
  const failing = testApp.app.db.$transaction(async (tx) => {
    await sendAccountEvent(tx, accountEvent);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  await expect(stream.next(300)).rejects.toThrow('no event');
  await sendAccountEvent(testApp.app.db, accountEvent);
  expect(await stream.next()).toEqual({ event: 'balance', data: {} });
});

test('other devices are told what was seen on one device', async () => {
  const user = await signUp();
  const accountId = user.accountId;
  const id = await createGeneration(testApp.app, accountId, 'video', 'generating');
  const generation = await testApp.app.db.generation.findUniqueOrThrow({ where: { id } });
  const stream = await follow(user);
  await completeGeneration(testApp.app, generation, []);
  // Waits for what the end itself tells (generation and balance), so that it cannot come after what is seen.
  for (const told of [await stream.next(), await stream.next()]) expect(told?.event).toMatch(/^(generation|balance)$/);
  const headers = { cookie: user.cookie };
  await testApp.server.inject({
    method: 'POST',
    url: '/api/notifications/seen',
    headers,
    payload: { generationIds: [id] },
  });
  expect(await stream.next()).toEqual({ event: 'generation', data: {} });
});

test('the stream ends with its session, and only that one', async () => {
  const user = await signUp();
  const other = await signUp();
  const [stream, otherStream] = [await follow(user), await follow(other)];
  await testApp.server.inject({ method: 'POST', url: '/api/logout', headers: { cookie: user.cookie } });
  expect(await stream.next()).toEqual({ event: 'end', data: {} });
  expect(await stream.next()).toBeNull();

  await removeSessions(testApp.app.db, { accountId: user.accountId });
  await expect(otherStream.next(300)).rejects.toThrow('no event');
});

test('one account holds ten streams and no more', async () => {
  const user = await signUp();
  const opened = await Promise.all(Array.from({ length: 11 }, () => follow(user)));
  expect(opened.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), 429]);
  opened.find(({ status }) => status === 200)?.close();
  await expect.poll(async () => (await follow(user)).status, { timeout: 60_000 }).toBe(200);
});

test.runIf(process.env.TEST_DATABASE_URL)(
  'a change in another process is passed on, also after the connection broke',
  async () => {
    const user = await signUp();
    const stream = await follow(user);
    const accountEvent = { accountId: user.accountId, event: 'balance' } as const;
    const elsewhere = await openDatabase(testApp.database, pino({ level: 'silent' }));
    // On a busy machine the connection may also break by itself, which is told as a gap.
    const expectPassedOn = () =>
      until(async () => {
        await sendAccountEvent(elsewhere.db, accountEvent);
        expect(await stream.next()).toEqual({ event: 'balance', data: {} });
      });
    try {
      await expectPassedOn();
      // The last statement of the connection that listens: every few seconds it asks whether the server is still there.
      const { rowCount } = await elsewhere.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE (query LIKE 'LISTEN podium_account_events%' OR query = 'select 1') AND datname = current_database()`,
      );
      expect(rowCount).toBeGreaterThan(0);
      await until(async () => expect(await stream.next()).toEqual({ event: 'gap', data: {} }));
      await expectPassedOn();
    } finally {
      await elsewhere.close();
    }
  },
);

test.runIf(!process.env.TEST_DATABASE_URL)(
  'a statement that fails costs the embedded database its connection, and changes are told as before',
  async () => {
    const user = await signUp();
    const stream = await follow(user);
    await expect(testApp.app.db.$queryRaw`select 1 / 0`).rejects.toThrow('division by zero');
    await sendAccountEvent(testApp.app.db, { accountId: user.accountId, event: 'balance' });
    expect(await stream.next()).toEqual({ event: 'gap', data: {} });
    expect(await stream.next()).toEqual({ event: 'balance', data: {} });
  },
);

test('a server that stops ends the open streams first', async () => {
  const stream = await follow(await signUp());
  const stopping = testApp.server.close();
  // Null is an orderly end. A connection that the stopping server cuts later would be an error.
  expect(await stream.next()).toBeNull();
  await stopping;
});
