import { rm, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openTestDatabase } from '#tests/support/database.ts';
import { startFakeSmtpServer } from '#tests/support/fake-smtp-server.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newEmail, nextAddress, registerAndConfirm } from '#tests/support/users.ts';

let testApp: TestApp;
let known: string;

/** Mail cannot be taken from the next check on. */
async function breakMail(): Promise<void> {
  await rm(testApp.outboxFolder, { recursive: true });
  await writeFile(testApp.outboxFolder, 'no folder');
  forgetCheck();
}

/** As if the last check was long ago. */
function forgetCheck(): void {
  testApp.app.state.mailCheck.forget();
}

const post = (url: string, payload: object) =>
  testApp.server.inject({ method: 'POST', url, payload, remoteAddress: nextAddress() });
const register = (email: string) => post('/api/register', { email, password: 'secret-password' });
const askReset = (email: string) => post('/api/password-reset/request', { email });

beforeEach(async () => {
  testApp = await createTestApp();
  known = (await registerAndConfirm(testApp)).email;
});
afterEach(() => testApp.close());

test.each([
  ['a registration', register],
  ['a request for a reset code', askReset],
])('while no mail can be written, %s says so, whether the address is known or not', async (_, ask) => {
  await breakMail();
  const unknown = newEmail();
  const answers = [await ask(known), await ask(unknown)];
  for (const { statusCode, headers } of answers) expect([statusCode, headers['retry-after']]).toEqual([503, '60']);
  const [first, second] = answers.map((answer) => ({ ...answer.json(), requestId: '' }));
  expect(first).toEqual(second);
  expect(first).toMatchObject({ code: 'mail_not_sent' });
  expect(await testApp.app.db.account.count({ where: { email: unknown } })).toBe(0);
});

test('requests that were refused for want of mail are not counted against an address', async () => {
  await breakMail();
  const remoteAddress = nextAddress();
  const send = (url: string, payload: object) => testApp.server.inject({ method: 'POST', url, payload, remoteAddress });
  const ask = () => [
    send('/api/register', { email: newEmail(), password: 'secret-password' }),
    send('/api/password-reset/request', { email: known }),
  ];
  // More than one address may send in an hour.
  const refused = await Promise.all(Array.from({ length: 61 }, ask).flat());
  expect(new Set(refused.map(({ statusCode }) => statusCode))).toEqual(new Set([503]));
  await rm(testApp.outboxFolder);
  forgetCheck();
  const answers = await Promise.all(ask());
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 204]);
});

test('a registration whose mail fails after the check succeeds and says so, also when the code cannot be withdrawn', async () => {
  const smtp = await startFakeSmtpServer();
  // One of its own, because the trigger stays in it.
  const database = await openTestDatabase();
  const withServer = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` }, database });
  const registerThere = () => {
    const payload = { email: newEmail(), password: 'secret-password' };
    return withServer.server.inject({ method: 'POST', url: '/api/register', payload, remoteAddress: nextAddress() });
  };
  try {
    expect((await registerThere()).json()).toMatchObject({ needEmailVerification: true, codeWasSent: true });
    // The handshake, which is all that is checked, still succeeds.
    smtp.refuseAt('RCPT TO', 550);
    const { db } = withServer.app;
    for (const codesLeft of [1, 2]) {
      const answer = await registerThere();
      expect([answer.statusCode, answer.json().codeWasSent]).toEqual([200, false]);
      // The one of the first registration, and the one that could not be withdrawn.
      expect(await db.emailCode.count()).toBe(codesLeft);
      await db.$executeRaw`
        CREATE FUNCTION keep_code() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '57014'; END $$`.catch(() => undefined);
      await db.$executeRaw`
        CREATE OR REPLACE TRIGGER keep_code BEFORE DELETE ON email_codes FOR EACH ROW EXECUTE FUNCTION keep_code()`;
    }
  } finally {
    await withServer.close();
    await smtp.close();
  }
});

test('many requests need one check', async () => {
  await breakMail();
  // The clock stands still, because a busy machine may take longer than a check is relied on.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => clock.mockRestore());
  await Promise.all([askReset(known), askReset(newEmail())]);
  await rm(testApp.outboxFolder);
  expect((await askReset(known)).statusCode).toBe(503);
});

test('a mail server that cannot be reached is told by the handshake', async () => {
  const smtp = await startFakeSmtpServer();
  const withServer = await createTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } });
  try {
    const ask = () =>
      withServer.server.inject({ method: 'POST', url: '/api/password-reset/request', payload: { email: newEmail() } });
    expect((await ask()).statusCode).toBe(204);
    await smtp.close();
    withServer.app.state.mailCheck.forget();
    expect((await ask()).json().code).toBe('mail_not_sent');
  } finally {
    await withServer.close();
  }
});
