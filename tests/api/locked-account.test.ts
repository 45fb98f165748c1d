import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { startPhotosession } from '#shared/contract/photosessions.ts';
import { uploadPhoto } from '#shared/contract/uploads.ts';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { countLockWaits } from '#tests/support/database.ts';
import { encodeForm } from '#tests/support/forms.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { nextAddress, PASSWORD, registerVerified, type TestUser } from '#tests/support/users.ts';

/** With the last call as many as an account may send in a minute. */
const CALLS = 59;
/** With CALLS more than may wait. */
const MORE_CALLS = 20;
/** Of each kind. As many forms of an account are received at once. */
const STARTS = 6;
/** More than a page with many tabs sends at once. */
const PAGE_CALLS = 50;
/** On the embedded database no row can be locked, because there is one connection. */
const isOnServer = Boolean(process.env.TEST_DATABASE_URL);

// As an api process has them, so that the calls below would take them all.
const testApp = useTestApp({ env: { DATABASE_POOL: '8' } });
let locked: TestUser;
let others: TestUser[];
beforeAll(async () => {
  locked = await registerVerified(testApp);
  others = [await registerVerified(testApp), await registerVerified(testApp)];
});

const buy = ({ cookie }: TestUser) =>
  testApp.server.inject({
    method: 'POST',
    url: '/api/payments/create-invoice',
    headers: { cookie },
    payload: { packageId: 1 },
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
    await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThanOrEqual(1);
    const served = await Promise.all(others.flatMap((user) => [buy(user), buy(user), buy(user)]));
    expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
    return calls;
  });
  for (const { statusCode } of await Promise.all(calls)) expect([200, 204, 400, 429, 503]).toContain(statusCode);
});

const listSessions = ({ cookie }: TestUser) =>
  testApp.server.inject({ method: 'GET', url: '/api/account/sessions', headers: { cookie } });

test.runIf(isOnServer)(
  'while one account is locked, others are served and its own calls wait or are refused',
  async () => {
    const refused: (string | number | undefined)[] = [];
    const calls = await whileLocked(async () => {
      const calls = Array.from({ length: CALLS }, () => buy(locked));
      await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThanOrEqual(2);
      const served = await Promise.all(others.flatMap((user) => [buy(user), buy(user), buy(user)]));
      expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
      const more = Array.from({ length: MORE_CALLS }, async () => {
        const answer = await listSessions(locked);
        if (answer.statusCode === 429) refused.push(answer.json().code, answer.headers['retry-after']);
        return answer;
      });
      await expect.poll(() => refused.length, { timeout: 30_000 }).toBeGreaterThan(0);
      return [...calls, ...more];
    });
    for (const { statusCode } of await Promise.all(calls)) expect([200, 429, 503]).toContain(statusCode);
    expect(new Set(refused)).toEqual(new Set(['too_many_requests', '5']));
    expect((await buy(locked)).statusCode).toBe(200);
    expect(await testApp.app.db.payment.count({ where: { accountId: locked.account.id } })).toBe(1);
  },
);

test.runIf(isOnServer)('while one account is locked and starts by forms and by JSON, others are served', async () => {
  const { cookie } = locked;
  const sendForm = async (url: string, parts: Parameters<typeof encodeForm>[0]) => {
    const { headers, body } = await encodeForm(parts);
    return testApp.server.inject({ method: 'POST', url, headers: { ...headers, cookie }, payload: body });
  };
  const photo = { content: await drawJpeg(600, 800), name: 'photo.jpg', type: 'image/jpeg' };
  const imageId: string = (await sendForm(uploadPhoto.path, [[uploadPhoto.file, photo]])).json().id;
  const startVideo = () => {
    const payload = { imageId, settings: {} };
    return testApp.server.inject({ method: 'POST', url: '/api/generate', headers: { cookie }, payload });
  };
  const calls = await whileLocked(async () => {
    const starts = () => [sendForm(startPhotosession.path, [['imageId', imageId]]), startVideo()];
    const calls = Array.from({ length: STARTS }, starts).flat();
    await expect.poll(() => countLockWaits(testApp.database), { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
    const served = await Promise.all(others.flatMap((user) => [buy(user), buy(user), buy(user)]));
    expect(served.map(({ statusCode }) => statusCode)).toEqual(served.map(() => 200));
    expect(await countLockWaits(testApp.database)).toBeLessThanOrEqual(4);
    return calls;
  });
  const codes = (await Promise.all(calls)).map(({ statusCode }) => statusCode);
  for (const code of codes) expect([200, 402, 409, 503]).toContain(code);
  expect(codes).toContain(200);
});

test('a page may ask for dozens of lists at once', async () => {
  const [user] = others as [TestUser];
  const answers = await Promise.all(Array.from({ length: PAGE_CALLS }, () => listSessions(user)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
});
