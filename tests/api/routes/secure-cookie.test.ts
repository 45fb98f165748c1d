import type { LightMyRequestResponse } from 'fastify';
import { expect, it } from 'vitest';
import { SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { logIn, registerUnverified, sessionCookieOf } from '#tests/support/users.ts';

const secure = useTestApp({ env: { PUBLIC_URL: 'https://podium.example' } });

const ask = (cookie: string) => secure.server.inject({ url: '/api/auth/user', headers: { cookie } });
const cookiesOf = ({ headers }: LightMyRequestResponse) => [headers['set-cookie'] ?? []].flat();

it('over https the cookie of a session can only come from this very host', async () => {
  const response = await logIn(secure, await registerUnverified(secure));
  expect(cookiesOf(response)).toEqual([
    expect.stringMatching(
      /^__Host-podium_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
    `${SIGNED_IN_COOKIE}=1; Max-Age=2592000; Path=/; Secure; SameSite=Lax`,
    expect.stringMatching(/^__Host-podium_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  expect((await ask(sessionCookieOf(response))).statusCode).toBe(200);
});

it('over https a sign-out removes both cookies of the session, and ends it', async () => {
  const { cookie } = await registerUnverified(secure);
  const left = await secure.server.inject({ method: 'POST', url: '/api/logout', headers: { cookie } });
  expect(cookiesOf(left)).toEqual(
    ['__Host-podium_session', SIGNED_IN_COOKIE].map((name) =>
      expect.stringMatching(new RegExp(`^${name}=; .*Expires=Thu, 01 Jan 1970.*Secure`)),
    ),
  );
  expect((await ask(cookie)).statusCode).toBe(401);
});

it('over https a session cannot be planted in a cookie that a neighbour in the domain could set', async () => {
  const [owner, attacker] = [await registerUnverified(secure), await registerUnverified(secure)];
  const planted = attacker.cookie.replace('__Host-', '');
  expect((await ask(planted)).statusCode).toBe(401);
  expect((await ask(`${planted}; ${owner.cookie}`)).json().id).toBe(owner.account.id);
});
