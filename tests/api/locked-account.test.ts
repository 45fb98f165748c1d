import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountBusyError, workForAccount } from '#api/fair-pool.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { nextAddress, PASSWORD, type Person, registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** With the last call as many as an account may send in a minute. */
const CALLS = 59;
/** A page with many pictures asks for so many at once. */
const PICTURES = 120;
/** More than wait for one account. */
const FLOOD = 400;
/** On the embedded database no row can be locked, because there is one connection. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

let testApp: TestApp;
let locked: Person;
let others: Person[];
beforeAll(async () => {
  // As an api process has them, so that the calls below would take them all.
  testApp = await createTestApp({ env: { DATABASE_POOL: '8' } });
  locked = await registerVerified(testApp);
  others = [await registerVerified(testApp), await registerVerified(testApp)];
});
afterAll(() => testApp.close());

const buy = ({ cookie }: Person) =>
  testApp.server.inject({
    ...{ method: 'POST', url: '/api/payments/create-invoice' },
    ...{ headers: { cookie }, payload: { packageId: 1 } },
  });

/** Runs `work` while another connection has locked the account's row. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: testApp.database.databaseUrl });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [locked.account.id]);
    return await work();
  } finally {
    // Ends its transaction, too.
    await holder.end();
  }
}

const post = (url: string, payload: object, remoteAddress = '198.51.100.7') =>
  testApp.server.inject({ method: 'POST', url, payload, remoteAddress });
const email = () => locked.email;

test.runIf(isOnServer).each<[string, () => Promise<{ statusCode: number }>]>([
  ['for reset codes', () => post('/api/password-reset/request', { email: email() }, nextAddress())],
  ['to sign in', () => post('/api/login', { email: email(), password: PASSWORD })],
])('while one account is locked and many who are not signed in ask %s, others are served', async (_, call) => {
  const calls = await whileLocked(async () => {
    const calls = Array.from({ length: CALLS }, call);
    await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
    const served = await Promise.all(others.flatMap((person) => [buy(person), buy(person), buy(person)]));
    expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
    return calls;
  });
  for (const { statusCode } of await Promise.all(calls)) expect([200, 204, 400, 429, 503]).toContain(statusCode);
});

test.runIf(isOnServer)(
  'while one account is locked, others are served and its own calls are told to wait',
  async () => {
    const answers = await whileLocked(async () => {
      const calls = Array.from({ length: CALLS }, () => buy(locked));
      await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
      const served = await Promise.all(others.flatMap((person) => [buy(person), buy(person), buy(person)]));
      expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
      return Promise.all(calls);
    });
    expect(new Set(answers.map(({ statusCode, headers }) => `${statusCode} ${headers['retry-after']}`))).toEqual(
      new Set(['503 5']),
    );
    expect((await buy(locked)).statusCode).toBe(200);
    expect(await testApp.app.db.payment.count({ where: { accountId: locked.account.id } })).toBe(1);
  },
);

test.runIf(isOnServer)('one account may ask for a page of pictures at once, and not for everything', async () => {
  const ask = (count: number) =>
    workForAccount(locked.account.id, () =>
      // A lazy query of the client is sent when it is awaited.
      Promise.allSettled(Array.from({ length: count }, async () => testApp.app.db.$queryRaw`select 1`)),
    );
  const refused = (answers: PromiseSettledResult<unknown>[]) =>
    answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  expect(refused(await ask(PICTURES))).toEqual([]);
  const busy = refused(await ask(FLOOD));
  expect(busy.length).toBeGreaterThan(0);
  for (const error of busy) expect(error).toBeInstanceOf(AccountBusyError);
});
