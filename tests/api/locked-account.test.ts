import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** With the last call as many as an account may send in a minute. */
const CALLS = 59;
/** Of one account may wait for a connection. */
const LINE = 20;
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
    // Nobody has run into a timeout yet: the locked ones wait, but for those that found the line full.
    expect(unanswered).toBeGreaterThan(LINE);
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
