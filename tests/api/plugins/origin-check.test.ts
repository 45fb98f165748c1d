import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';
import { createServer } from '#api/server.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp({ env: { PUBLIC_URL: 'http://localhost:4300' } });
let production: FastifyInstance;
beforeAll(async () => {
  const config = readConfig({ ...PRODUCTION_ENV, DATA_DIR: testApp.app.config.dataDir });
  production = await createServer({ ...testApp.app, config });
});
afterAll(() => production.close());

/** Makes a harmless call that changes state. The status is 204 when it is let through. */
const callFrom = async (server: FastifyInstance, headers: Record<string, string>) =>
  (await server.inject({ method: 'POST', url: '/api/logout', headers })).statusCode;

describe('a call that changes something', () => {
  it.each([
    ['our own origin', { origin: 'http://localhost:4300' }],
    ['a page of ours that sends only a referrer', { referer: 'http://localhost:4300/auth?next=/app' }],
    ['our page according to the browser', { 'sec-fetch-site': 'same-origin' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another loopback name of the same port', { origin: 'http://127.0.0.1:4300', host: '127.0.0.1:4300' }],
    ['localhost to 127.0.0.1', { origin: 'http://localhost:5173', host: '127.0.0.1:5173' }],
    ['a program that is no browser', {}],
  ])('is let through from %s', async (_name, headers) => {
    expect(await callFrom(testApp.server, headers)).toBe(204);
  });

  it.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, whatever the browser adds', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
    ['a page without an origin', { origin: 'null' }],
    ['another scheme of our host', { origin: 'https://localhost:4300' }],
    ['another port', { origin: 'http://localhost:4301', host: 'localhost:4300' }],
    ['a host name that only begins like ours', { origin: 'http://localhost:4300.evil.example' }],
    ['a name that was rebound to this machine', { origin: 'http://evil.example:4300', host: 'evil.example:4300' }],
    ['a foreign page that sends only a referrer', { referer: 'https://evil.example/' }],
    ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
    ['another site by mark only', { 'sec-fetch-site': 'cross-site' }],
  ])('is refused from %s', async (_name, headers) => {
    const response = await testApp.server.inject({ method: 'POST', url: '/api/logout', headers });
    expect(response.statusCode).toBe(403);
    expect(response.json().code).toBe('foreign_origin');
  });

  it('comes in production only from the public address', async () => {
    expect(await callFrom(production, { host: 'podium.example', origin: 'https://podium.example' })).toBe(204);
    expect(await callFrom(production, { host: 'podium.example', origin: 'http://podium.example' })).toBe(403);
    expect(await callFrom(production, { host: 'podium.example', origin: 'http://localhost' })).toBe(403);
  });
});

it('a call that only reads is answered to anybody', async () => {
  const response = await testApp.server.inject({ url: '/healthz', headers: { origin: 'https://evil.example' } });
  expect(response.statusCode).toBe(200);
});

it('over https the cookies are for https only', async () => {
  const response = await production.inject({ url: '/api/session-error', headers: { host: 'podium.example' } });
  const cookies = [response.headers['set-cookie'] ?? []].flat();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toContain('Secure');
  expect(response.headers['strict-transport-security']).toContain('max-age=31536000');
});
