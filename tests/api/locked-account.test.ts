import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AccountBusyError, workForAccount } from '#api/fair-pool.ts';
import { type Person, registerVerified } from '#tests/support/people.ts';
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
  testApp = await createTestApp();
  locked = await registerVerified(testApp);
  others = [await registerVerified(testApp), await registerVerified(testApp)];
});
afterAll(() => testApp.close());

const buy = ({ cookie }: Person) =>
  testApp.server.inject({
    ...{ method: 'POST', url: '/api/payments/create-invoice' },
    ...{ headers: { cookie }, payload: { packageId: 1 } },
  });

test.runIf(isOnServer)(
  'while one account is locked, others are served and its own calls are told to wait',
  async () => {
    const holder = new pg.Client({ connectionString: testApp.database.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [locked.account.id]);
    let unanswered = CALLS;
    const calls = Array.from({ length: CALLS }, () => buy(locked).finally(() => unanswered--));
    const served = await Promise.all(others.flatMap((person) => [buy(person), buy(person), buy(person)]));
    expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
    // The locked ones still wait, but for those that ran into the lock timeout meanwhile.
    expect(unanswered).toBeGreaterThan(CALLS / 2);
    const answers = await Promise.all(calls);
    await holder.query('ROLLBACK');
    await holder.end();
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
