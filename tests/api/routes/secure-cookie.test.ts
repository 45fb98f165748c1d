import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashToken } from '#api/services/accounts/sessions.ts';
import { SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';
import { nextAddress, PASSWORD, registerUnverified, sessionCookieOf } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let secure: TestApp;
beforeAll(async () => {
  secure = await createTestApp({ env: { PUBLIC_URL: 'https://podium.example' } });
});
afterAll(() => secure.close());

const ask = (cookie: string) => secure.server.inject({ url: '/api/auth/user', headers: { cookie } });
/** Makes the only session of an account one that an earlier release has opened. Returns its token. */
async function makeFormer(accountId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const lastSeenAt = new Date(Date.now() - 24 * 3_600_000);
  const data = { tokenHash: hashToken(token), lastSeenAt };
  expect(await secure.app.db.session.updateMany({ where: { accountId }, data })).toEqual({ count: 1 });
  return token;
}
const cookiesOf = ({ headers }: LightMyRequestResponse) => [headers['set-cookie'] ?? []].flat();

it('over https the cookie of a session can only come from this very host', async () => {
  const { email } = await registerUnverified(secure);
  const response = await secure.server.inject({
    method: 'POST',
    url: '/api/login',
    payload: { email, password: PASSWORD },
    remoteAddress: nextAddress(),
  });
  expect(cookiesOf(response)).toEqual([
    expect.stringMatching(
      /^__Host-podium_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    `${SIGNED_IN_COOKIE}=1; Max-Age=2592000; Path=/; Secure; SameSite=Lax`,
    expect.stringMatching(/^__Host-podium_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect((await ask(sessionCookieOf(response))).statusCode).toBe(200);
});

it('over https a session of an earlier release is accepted in its cookie, which is left to that release, and ends at a sign-out', async () => {
  const { account } = await registerUnverified(secure);
  const token = await makeFormer(account.id);
  const former = `podium_session=${token}`;
  const extended = await ask(former);
  expect([extended.statusCode, sessionCookieOf(extended)]).toEqual([200, `__Host-podium_session=${token}`]);
  expect(extended.cookies.map(({ name }) => name)).toEqual(['__Host-podium_session', SIGNED_IN_COOKIE]);

  const left = await secure.server.inject({ method: 'POST', url: '/api/logout', headers: { cookie: former } });
  expect(cookiesOf(left)).toEqual(
    ['__Host-podium_session', 'podium_session', SIGNED_IN_COOKIE].map((name) =>
      expect.stringMatching(new RegExp(`^${name}=; .*Expires=Thu, 01 Jan 1970.*Secure`)),
    ),
  );
  expect((await ask(former)).statusCode).toBe(401);
});

it('over https a session of this release cannot be planted in a cookie with the earlier name', async () => {
  const [owner, attacker] = [await registerUnverified(secure), await registerUnverified(secure)];
  const planted = attacker.cookie.replace('__Host-', '');
  expect((await ask(planted)).statusCode).toBe(401);
  expect((await ask(`${planted}; ${owner.cookie}`)).json().id).toBe(owner.account.id);
});

it('over https a planted session of an earlier release does not replace the own one', async () => {
  const [owner, attacker] = [await registerUnverified(secure), await registerUnverified(secure)];
  const planted = `podium_session=${await makeFormer(attacker.account.id)}`;
  expect((await ask(`${planted}; ${owner.cookie}`)).json().id).toBe(owner.account.id);
});
