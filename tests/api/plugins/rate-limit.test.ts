import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createServer } from '#api/server.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { newEmail, nextAddress, registerUnverified } from '#tests/support/users.ts';

const testApp = useTestApp();

// The limits count per minute. The clock stands still, because a busy machine may take longer than that.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Of a route without a limit of its own. */
const REQUESTS_PER_MINUTE = 1200;
const EVENTS_PER_MINUTE = 30;
const SEARCHES_PER_MINUTE = 120;

type Send = (headers: Record<string, string>, remoteAddress: string) => Promise<number>;

const ask: Send = async (headers, remoteAddress) =>
  (await testApp.server.inject({ url: '/api/tools', headers, remoteAddress })).statusCode;
const sendEvent: Send = async (headers, remoteAddress) =>
  (
    await testApp.server.inject({
      method: 'POST',
      url: '/api/analytics/event',
      headers,
      remoteAddress,
      payload: { event_name: 'cases_link_clicked', page_location: '/' },
    })
  ).statusCode;

async function repeat(times: number, send: () => Promise<number>): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index++) statuses.push(await send());
  return statuses;
}

it('a limit counts by account from all addresses, and by address for visitors', async () => {
  const [anna, boris] = [await registerUnverified(testApp), await registerUnverified(testApp)];
  const office = nextAddress();
  const statuses = await repeat(REQUESTS_PER_MINUTE + 1, () => ask({ cookie: anna.cookie }, office));
  expect(statuses.indexOf(429)).toBe(REQUESTS_PER_MINUTE);
  expect(await ask({ cookie: anna.cookie }, nextAddress())).toBe(429);
  expect(await ask({ cookie: boris.cookie }, office)).toBe(200);
  expect(await ask({}, office)).toBe(200);
});

it('searches have a limit of their own, which leaves the rest of the list as it is', async () => {
  const { cookie } = await registerUnverified(testApp);
  const list = async (query: string) =>
    (await testApp.server.inject({ url: `/api/results${query}`, headers: { cookie } })).statusCode;
  const statuses = await repeat(SEARCHES_PER_MINUTE + 1, () => list('?search=a'));
  expect(statuses.indexOf(429)).toBe(SEARCHES_PER_MINUTE);
  expect([await list(''), await list('?search=')]).toEqual([200, 200]);
});

it('events are taken thirty times a minute from an address, and one that a caller makes up in a header does not count', async () => {
  const address = nextAddress();
  const statuses = await repeat(EVENTS_PER_MINUTE + 1, () => sendEvent({}, address));
  expect(statuses.indexOf(429)).toBe(EVENTS_PER_MINUTE);
  expect(await sendEvent({ 'x-forwarded-for': '203.0.113.50' }, address)).toBe(429);
  expect(await sendEvent({}, nextAddress())).toBe(204);
});

it('behind a trusted proxy the address is the one that the proxy names', async () => {
  const behindProxy = await createServer({
    ...testApp.app,
    config: { ...testApp.app.config, trustedProxies: ['127.0.0.1'] },
  });
  const logInFrom = async (visitor: string) =>
    (
      await behindProxy.inject({
        method: 'POST',
        url: '/api/login',
        headers: { 'x-forwarded-for': visitor },
        payload: { email: newEmail(), password: 'password' },
      })
    ).statusCode;
  for (let index = 0; index < 60; index++) await logInFrom('203.0.113.1');
  expect(await logInFrom('203.0.113.1')).toBe(429);
  expect(await logInFrom('203.0.113.2')).toBe(401);
  await behindProxy.close();
});
