import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createServer } from '#api/server.ts';
import { newEmail, nextAddress, registerUnverified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

// The limits count per minute. The clock stands still, because a busy machine may take longer than that.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const EVENTS_PER_MINUTE = 300;

/** Sends one event more than the limit of this caller allows. */
async function useUp(headers: Record<string, string>, remoteAddress: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index <= EVENTS_PER_MINUTE; index++) statuses.push(await send(headers, remoteAddress));
  return statuses;
}

const send = async (headers: Record<string, string>, remoteAddress: string) =>
  (
    await testApp.server.inject({
      method: 'POST',
      url: '/api/analytics/event',
      headers,
      remoteAddress,
      payload: { event_name: 'cases_link_clicked', page_location: '/' },
    })
  ).statusCode;

it('a limit counts by account from all addresses, and by address for visitors', async () => {
  const [anna, boris] = [await registerUnverified(testApp), await registerUnverified(testApp)];
  const office = nextAddress();
  const statuses = await useUp({ cookie: anna.cookie }, office);
  expect(statuses.indexOf(429)).toBe(EVENTS_PER_MINUTE);
  expect(await send({ cookie: anna.cookie }, nextAddress())).toBe(429);
  expect(await send({ cookie: boris.cookie }, office)).toBe(204);
  expect(await send({}, office)).toBe(204);
});

it('an address that a caller makes up in a header does not count', async () => {
  const address = nextAddress();
  await useUp({}, address);
  expect(await send({ 'x-forwarded-for': '203.0.113.50' }, address)).toBe(429);
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
