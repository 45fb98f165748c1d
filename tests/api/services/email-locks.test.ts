import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  type Person,
  readCode,
  readMails,
  registerUnverified,
  registerVerified,
} from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

const post = (url: string, { cookie }: Pick<Person, 'cookie'>, payload: object) =>
  testApp.server.inject({ method: 'POST', url, headers: { cookie }, payload, remoteAddress: nextAddress() });
const visitor = { cookie: '' };
const ageCodes = ({ account }: Person) =>
  testApp.app.db.$executeRaw`
    update email_codes set created_at = created_at - interval '1 minute' where account_id = ${account.id}`;

/** The codes for another password and for another address that wait for this person's entry. */
async function askForBoth(person: Person): Promise<{ reset: string; change: string; newAddress: string }> {
  await post('/api/password-reset/request', visitor, { email: person.email });
  await vi.waitFor(async () => expect(await readMails(testApp, person.email)).toHaveLength(2), 15_000);
  const newAddress = newEmail();
  await post('/api/account/email', person, { email: newAddress, currentPassword: PASSWORD });
  return {
    reset: await readCode(testApp, person.email),
    change: await readCode(testApp, newAddress),
    newAddress,
  };
}

test('another password and another address at once end one after the other, in whatever order', async () => {
  for (let round = 0; round < 4; round++) {
    const person = await registerVerified(testApp);
    const { reset, change, newAddress } = await askForBoth(person);
    const answers = await Promise.all([
      post('/api/account/email/confirm', person, { code: change }),
      post('/api/password-reset', visitor, { email: person.email, code: reset, password: 'another-password' }),
    ]);
    const [changed, renewed] = answers.map(({ statusCode }) => statusCode);
    // Whichever comes first ends the other: the session it needs, or the code. A reset leaves the code for the address.
    expect([
      [200, 400],
      [401, 200],
      [200, 200],
    ]).toContainEqual([changed, renewed]);
    const { email } = await testApp.app.db.account.findUniqueOrThrow({ where: { id: person.account.id } });
    expect(email).toBe(changed === 200 ? newAddress : person.email);
  }
});

interface Work {
  name: string;
  begin: () => Promise<{ person: Person; send: () => Promise<{ statusCode: number }> }>;
}

/** Everything that touches an account's codes. */
const WORKS: Work[] = [
  {
    name: 'a correction',
    begin: async () => {
      const person = await registerUnverified(testApp);
      return { person, send: () => post('/api/correct-email', person, { email: newEmail() }) };
    },
  },
  {
    name: 'another code',
    begin: async () => {
      const person = await registerUnverified(testApp);
      await ageCodes(person);
      return { person, send: () => post('/api/resend-verification', person, {}) };
    },
  },
  {
    name: 'a confirmation',
    begin: async () => {
      const person = await registerUnverified(testApp);
      const verificationCode = await readCode(testApp, person.email);
      return { person, send: () => post('/api/verify-email', person, { verificationCode }) };
    },
  },
  {
    name: 'a change of address',
    begin: async () => {
      const person = await registerVerified(testApp);
      const { change } = await askForBoth(person);
      return { person, send: () => post('/api/account/email/confirm', person, { code: change }) };
    },
  },
  {
    name: 'another password',
    begin: async () => {
      const person = await registerVerified(testApp);
      const { reset } = await askForBoth(person);
      const body = { email: person.email, code: reset, password: 'another-password' };
      return { person, send: () => post('/api/password-reset', visitor, body) };
    },
  },
];

test.runIf(isOnServer).each(WORKS)(
  '$name waits for the account before it holds a code, so that none waits for another in turn',
  async ({ begin }) => {
    const { person, send } = await begin();
    const { id } = person.account;
    const holder = await testApp.database.pool.connect();
    let answer: ReturnType<typeof send>;
    try {
      await holder.query('begin');
      await holder.query('select id from accounts where id = $1 for update', [id]);
      answer = send();
      await vi.waitFor(async () => {
        const { rows } = await holder.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      }, 15_000);
      const { rowCount: all } = await holder.query('select id from email_codes where account_id = $1', [id]);
      const { rowCount: free } = await holder.query(
        'select id from email_codes where account_id = $1 for update skip locked',
        [id],
      );
      expect(free).toBe(all);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    expect([200, 204]).toContain((await answer).statusCode);
  },
);

test.runIf(isOnServer)(
  'a reset code that was asked for while the address was being changed is mailed to neither',
  async () => {
    const person = await registerVerified(testApp);
    const [former, email] = [person.email, newEmail()];
    const holder = await testApp.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('update accounts set email = $2, email_key = $2 where id = $1', [person.account.id, email]);
      expect((await post('/api/password-reset/request', visitor, { email: former })).statusCode).toBe(204);
      await vi.waitFor(async () => {
        const { rows } = await holder.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        expect(rows).toHaveLength(1);
      }, 15_000);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    // With its mails, which are sent after the answers.
    await testApp.server.close();
    expect(await readMails(testApp, former)).toHaveLength(1);
    expect(await readMails(testApp, email)).toEqual([]);
    expect(
      await testApp.app.db.emailCode.count({ where: { accountId: person.account.id, purpose: 'reset_password' } }),
    ).toBe(0);
  },
);
