import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#api/config/config.ts';
import { createServer } from '#api/server.ts';
import { PRODUCTION_ENV } from '#tests/support/production-env.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let production: FastifyInstance;
beforeAll(async () => {
  production = await serve({ PUBLIC_URL: 'https://podium.example', TRUSTED_PROXIES: '10.0.0.1' });
});
afterAll(() => production.close());

async function serve(env: Record<string, string>): Promise<FastifyInstance> {
  const config = readConfig({ ...PRODUCTION_ENV, ...env, DATA_DIR: testApp.app.config.dataDir });
  return createServer({ ...testApp.app, config });
}
const ask = (host: string, url = '/api/star-packages', headers: Record<string, string> = {}) =>
  production.inject({ url, headers: { host, ...headers }, remoteAddress: '10.0.0.1' });

describe('in production', () => {
  it.each(['podium.example', 'PODIUM.example', 'podium.example:443'])('%s is our host', async (host) => {
    expect((await ask(host, '/api/auth/user')).json().code).toBe('unauthorized');
  });

  it.each(['evil.example', 'podium.example.evil.example', 'podium.example:8443', 'localhost', '127.0.0.1', 'a b', '['])(
    '«%s» is refused on every address, before anything else',
    async (host) => {
      for (const url of ['/', '/app', '/api/auth/user', '/api/no-such', '/robots.txt', '/no-such']) {
        const answer = await ask(host, url);
        expect([answer.statusCode, answer.json().code], url).toEqual([421, 'unknown_host']);
      }
    },
  );

  it.each([
    'x@podium.example',
    'podium.example/evil',
    'podium.example?x',
    'podium.example#x',
    'podium.example\\evil',
    'podium\t.example',
    'http://podium.example',
  ])('our host with something beside it, as in %j, is another host', async (host) => {
    for (const headers of [{ host }, { 'x-forwarded-host': host }] as Record<string, string>[]) {
      const answer = await ask('podium.example', '/api/auth/user', headers);
      expect([answer.statusCode, answer.json().code], JSON.stringify(headers)).toEqual([421, 'unknown_host']);
    }
  });

  it('the host that a trusted proxy forwards counts', async () => {
    const answer = await ask('10.0.0.2:3000', '/api/auth/user', { 'x-forwarded-host': 'podium.example' });
    expect(answer.statusCode).toBe(401);
    const foreign = await ask('podium.example', '/api/auth/user', { 'x-forwarded-host': 'evil.example' });
    expect(foreign.statusCode).toBe(421);
  });

  it('monitoring may ask by any name', async () => {
    for (const url of ['/healthz', '/readyz?verbose', '/metrics']) {
      expect((await ask('10.0.0.2:3000', url)).statusCode, url).not.toBe(421);
    }
  });
});

it('elsewhere every host is served, as a developer’s phone needs it', async () => {
  const answer = await testApp.server.inject({ url: '/api/auth/user', headers: { host: '192.168.1.5:3000' } });
  expect(answer.statusCode).toBe(401);
});
