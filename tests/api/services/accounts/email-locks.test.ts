import type { PoolClient } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTestApp } from '#tests/support/test-app.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import {
  newEmail,
  nextAddress,
  PASSWORD,
  readCode,
  readMails,
  registerUnverified,
  registerVerified,
  type TestUser,
} from '#tests/support/users.ts';

const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

const testApp = useTestApp();

const post = (url: string, { cookie }: Pick<TestUser, 'cookie'>, payload: object) =>
  testApp.server.inject({ method: 'POST', url, headers: { cookie }, payload, remoteAddress: nextAddress() });
const visitor = { cookie: '' };
const ageCodes = ({ account }: TestUser) =>
  testApp.app.db.$executeRaw`
    update email_codes set created_at = created_at - interval '1 minute' where account_id = ${account.id}`;

/** Requests a code for a new password and one for a new address of this person. Returns both. */
async function askForBoth(user: TestUser): Promise<{ reset: string; change: string; newAddress: string }> {
  await post('/api/password-reset/request', visitor, { email: user.email });
  await vi.waitFor(async () => expect(await readMails(testApp, user.email)).toHaveLength(1), 60_000);
  const newAddress = newEmail();
  await post('/api/account/email', user, { email: newAddress, currentPassword: PASSWORD });
  return {
    reset: await readCode(testApp, user.email),
    change: await readCode(testApp, newAddress),
    newAddress,
  };
}

type Send = () => Promise<{ statusCode: number }>;
type WhenAllWait = (holder: PoolClient) => Promise<void>;

/** Locks an account's row and sends the requests one by one, so that they wait in order. Returns their statuses. */
function sendBehind(accountId: number, requests: Send[], whenAllWait?: WhenAllWait): Promise<number[]> {
  return sendWhileHeld(`select id from accounts where id = ${accountId} for update`, requests, whenAllWait);
}

/** The same with the lock that the statement takes. */
async function sendWhileHeld(
  statement: string,
  requests: Send[],
  whenAllWait: WhenAllWait = async () => {},
): Promise<number[]> {
  const holder = await testApp.database.pool.connect();
  const answers: Promise<{ statusCode: number }>[] = [];
  try {
    await holder.query('begin');
    await holder.query(statement);
    for (const send of requests) {
      answers.push(send());
      await waitUntilBlocked(holder, answers.length);
    }
    await whenAllWait(holder);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
}

/**
 * Resolves when this many other connections wait for this one, directly or behind another one. Reads the locks, because
 * a transaction always sees the list of connections as it was at its first look.
 */
async function waitUntilBlocked(holder: PoolClient, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await holder.query(`
      with recursive blocked (pid) as (
        select pg_backend_pid()
        union
        select l.pid from pg_locks l join blocked b on b.pid = any (pg_blocking_pids(l.pid)) where not l.granted
      )
      select pid from blocked where pid <> pg_backend_pid()`);
    expect(rows).toHaveLength(count);
  }, 15_000);
}

describe.runIf(isOnServer)('changes of password and address at the same time are made one after the other', () => {
  const prepare = async () => {
    const user = await registerVerified(testApp);
    const { reset, change, newAddress } = await askForBoth(user);
    const body = { email: user.email, code: reset, password: 'another-password' };
    return {
      accountId: user.account.id,
      newAddress,
      changeAddress: () => post('/api/account/email/confirm', user, { code: change }),
      setPassword: () => post('/api/password-reset', visitor, body),
    };
  };
  const emailOf = async (id: number) => (await testApp.app.db.account.findUniqueOrThrow({ where: { id } })).email;

  test('the address first: the code that was mailed to the former one sets no password', async () => {
    const { accountId, newAddress, changeAddress, setPassword } = await prepare();
    expect(await sendBehind(accountId, [changeAddress, setPassword])).toEqual([200, 400]);
    expect(await emailOf(accountId)).toBe(newAddress);
  });

  test('the password first: the code for the address, which took the former one, sets no address', async () => {
    const { accountId, newAddress, changeAddress, setPassword } = await prepare();
    expect(await sendBehind(accountId, [setPassword, changeAddress])).toEqual([200, 400]);
    expect(await emailOf(accountId)).not.toBe(newAddress);
  });
});

interface Work {
  name: string;
  begin: () => Promise<{ user: TestUser; send: () => Promise<{ statusCode: number }> }>;
}

/** All requests that touch an account's codes. */
const WORKS: Work[] = [
  {
    name: 'a correction',
    begin: async () => {
      const user = await registerUnverified(testApp);
      return { user, send: () => post('/api/correct-email', user, { email: newEmail() }) };
    },
  },
  {
    name: 'another code',
    begin: async () => {
      const user = await registerUnverified(testApp);
      await ageCodes(user);
      return { user, send: () => post('/api/resend-verification', user, {}) };
    },
  },
  {
    name: 'a confirmation',
    begin: async () => {
      const user = await registerUnverified(testApp);
      const verificationCode = await readCode(testApp, user.email);
      return { user, send: () => post('/api/verify-email', user, { verificationCode }) };
    },
  },
  {
    name: 'a change of address',
    begin: async () => {
      const user = await registerVerified(testApp);
      const { change } = await askForBoth(user);
      return { user, send: () => post('/api/account/email/confirm', user, { code: change }) };
    },
  },
  {
    name: 'another password',
    begin: async () => {
      const user = await registerVerified(testApp);
      const { reset } = await askForBoth(user);
      const body = { email: user.email, code: reset, password: 'another-password' };
      return { user, send: () => post('/api/password-reset', visitor, body) };
    },
  },
];

test.runIf(isOnServer).each(WORKS)(
  '$name waits for the account before it holds a code, so that none waits for another in turn',
  async ({ begin }) => {
    const { user, send } = await begin();
    const { id } = user.account;
    const answers = await sendBehind(id, [send], async (holder) => {
      const { rowCount: all } = await holder.query('select id from email_codes where account_id = $1', [id]);
      const { rowCount: free } = await holder.query(
        'select id from email_codes where account_id = $1 for update skip locked',
        [id],
      );
      expect(free).toBe(all);
    });
    expect([200, 204]).toContain(answers[0]);
  },
);

test.runIf(isOnServer)(
  'a reset code that is requested while the address is being changed is mailed to neither address',
  async () => {
    // Mails are sent after the answers, so this server is closed before its mails are read.
    const own = await createTestApp();
    onTestFinished(() => own.close());
    const user = await registerVerified(own);
    const [former, email] = [user.email, newEmail()];
    const holder = await own.database.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('update accounts set email = $2, email_key = $2 where id = $1', [user.account.id, email]);
      const asked = await own.server.inject({
        method: 'POST',
        url: '/api/password-reset/request',
        payload: { email: former },
        remoteAddress: nextAddress(),
      });
      expect(asked.statusCode).toBe(204);
      await waitUntilBlocked(holder, 1);
      await holder.query('commit');
    } finally {
      holder.release();
    }
    await own.server.close();
    for (const address of [former, email]) expect(await readMails(own, address)).toEqual([]);
    const codes = { accountId: user.account.id, purpose: 'reset_password' } as const;
    expect(await own.app.db.emailCode.count({ where: codes })).toBe(0);
  },
);

test.runIf(isOnServer)(
  'the eleventh code to one mailbox is refused, also when two accounts request it at once',
  async () => {
    const email = newEmail();
    const ask = async () => {
      const user = await registerVerified(testApp);
      return () => post('/api/account/email', user, { email, currentPassword: PASSWORD });
    };
    for (let count = 0; count < 9; count++) expect((await (await ask())()).statusCode).toBe(204);
    // Under this lock codes can be counted but not stored.
    const statuses = await sendWhileHeld('lock table email_codes in exclusive mode', [await ask(), await ask()]);
    expect(statuses.toSorted()).toEqual([204, 429]);
    expect(await readMails(testApp, email)).toHaveLength(10);
  },
);
