import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#api/db.ts';
import { logIn } from '#api/services/accounts/accounts.ts';
import { PASSWORD, registerVerified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const BROWSER = { userAgent: 'Firefox', sessionToken: null };
/** More than a sign-in has. */
const STATEMENTS = 5;
let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

/** A database that fails at this statement and at all later ones. */
function failAt(db: Db, statement: number): Db {
  let count = 0;
  return new Proxy(db, {
    get(target, name) {
      if (++count >= statement) throw new Error('the database is away');
      const part: unknown = Reflect.get(target, name);
      return typeof part === 'function' ? part.bind(target) : part;
    },
  });
}

test('an outage counts no right password as a wrong one, wherever it hits', async () => {
  const { app } = testApp;
  for (let statement = 1; statement <= STATEMENTS; statement++) {
    const { email } = await registerVerified(testApp);
    const attempt = { email, password: PASSWORD, browser: BROWSER };
    for (let index = 0; index < 10; index++) {
      await logIn({ ...app, db: failAt(app.db, statement) }, attempt).catch((error: Error) => {
        expect(error.message).toMatch(/the database is away|Слишком много запросов/);
      });
    }
    // A check that nobody could end is forgotten after 20 seconds.
    await app.db.$executeRaw`UPDATE rate_limits SET pending_until = pending_until - interval '20 seconds'`;
    expect((await logIn(app, attempt)).account.email).toBe(email);
  }
});

test('a wrong password is answered only when it has been counted', async () => {
  const { app } = testApp;
  const { email } = await registerVerified(testApp);
  const attempt = { email, password: 'not-the-password', browser: BROWSER };
  // The account and the reserved attempt are read; the count fails.
  await expect(logIn({ ...app, db: failAt(app.db, 3) }, attempt)).rejects.toThrow('the database is away');
  await expect(logIn(app, attempt)).rejects.toMatchObject({ code: 'invalid_credentials' });
});
