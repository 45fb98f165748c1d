import { expect, test } from 'vitest';
import type { Db } from '#api/database/database.ts';
import { logIn } from '#api/services/accounts/accounts.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { PASSWORD, registerVerified } from '#tests/support/users.ts';

const BROWSER = { userAgent: 'Firefox', sessionToken: null, address: '10.0.0.1', knownDevices: null };
/** More than a sign-in has. */
const STATEMENTS = 9;
const testApp = useTestApp();

/** A database that fails at this statement. */
function failAt(db: Db, statement: number): Db {
  let count = 0;
  return new Proxy(db, {
    get(target, name) {
      if (++count === statement) throw new Error('the database is away');
      const part: unknown = Reflect.get(target, name);
      return typeof part === 'function' ? part.bind(target) : part;
    },
  });
}

test('a failure counts no right password as a wrong one, wherever it hits', async () => {
  const { app } = testApp;
  for (let statement = 1; statement <= STATEMENTS; statement++) {
    const { email } = await registerVerified(testApp);
    const attempt = { email, password: PASSWORD, browser: BROWSER };
    for (let index = 0; index < 10; index++) {
      await logIn({ ...app, db: failAt(app.db, statement) }, attempt).catch((error: Error) => {
        expect(error.message).toBe('the database is away');
      });
    }
    expect((await logIn(app, attempt)).account.email).toBe(email);
  }
});

test('a password is checked only when it has been counted', async () => {
  const { app } = testApp;
  const { email } = await registerVerified(testApp);
  const attempt = { email, password: 'not-the-password', browser: BROWSER };
  for (const statement of [2, 3]) {
    await expect(logIn({ ...app, db: failAt(app.db, statement) }, attempt)).rejects.toThrow('the database is away');
  }
  await expect(logIn(app, attempt)).rejects.toMatchObject({ code: 'invalid_credentials' });
});
