import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';
import { nextAddress, PASSWORD, registerUnverified, sessionCookieOf } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let secure: TestApp;
beforeAll(async () => {
  secure = await createTestApp({ env: { PUBLIC_URL: 'https://podium.example' } });
});
afterAll(() => secure.close());

const ask = (cookie: string) => secure.server.inject({ url: '/api/auth/user', headers: { cookie } });
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
  ]);
  expect((await ask(sessionCookieOf(response))).statusCode).toBe(200);
});

it('over https a cookie with the earlier name is accepted, is left to processes that know no other, and ends at a sign-out', async () => {
  const { account, cookie } = await registerUnverified(secure);
  const former = cookie.replace('__Host-', '');
  await secure.app.db.session.updateMany({
    where: { accountId: account.id },
    data: { lastSeenAt: new Date(Date.now() - 24 * 3_600_000) },
  });
  const extended = await ask(former);
  expect([extended.statusCode, sessionCookieOf(extended)]).toEqual([200, cookie]);
  expect(extended.cookies.map(({ name }) => name)).toEqual(['__Host-podium_session', SIGNED_IN_COOKIE]);

  const left = await secure.server.inject({ method: 'POST', url: '/api/logout', headers: { cookie: former } });
  expect(cookiesOf(left)).toEqual(
    ['__Host-podium_session', 'podium_session', SIGNED_IN_COOKIE].map((name) =>
      expect.stringMatching(new RegExp(`^${name}=; .*Expires=Thu, 01 Jan 1970.*Secure`)),
    ),
  );
  expect((await ask(former)).statusCode).toBe(401);
});

it('over https a planted cookie with the earlier name does not replace the session', async () => {
  const [owner, attacker] = [await registerUnverified(secure), await registerUnverified(secure)];
  const planted = attacker.cookie.replace('__Host-', '');
  expect((await ask(`${planted}; ${owner.cookie}`)).json().id).toBe(owner.account.id);
});
