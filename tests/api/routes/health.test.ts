import type { FastifyInstance } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { StorageFullError } from '#api/adapters/storage/object-storage.ts';
import { createServer } from '#api/server.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp();
let broken: FastifyInstance;
beforeAll(async () => {
  const { app } = testApp;
  const fail = async () => {
    throw new Error('disk full');
  };
  broken = await createServer({ ...app, storage: { ...app.storage, check: fail } });
});
afterAll(() => broken.close());

it('the process says that it is alive', async () => {
  const response = await testApp.server.inject('/healthz');
  expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
});

/** On a busy machine a check may take too long and count as failed, so readiness is asked for again. */
const PATIENCE = { timeout: 60_000 };

async function askReadiness(server: FastifyInstance): Promise<[number, unknown]> {
  const response = await server.inject('/readyz');
  return [response.statusCode, response.json()];
}

const ALL_OK = {
  // The disk of the machine may be nearly full.
  database: 'ok',
  queue: 'ok',
  storage: 'ok',
  space: expect.stringMatching(/^(ok|warning)$/),
  worker: 'ok',
  mail: 'ok',
  engine: 'ok',
};
const GIB = 1024 ** 3;

/** The readiness of a server with these parts in place of its own. */
async function askWith(parts: Partial<AppContext>): Promise<[number, unknown]> {
  const server = await createServer({ ...testApp.app, ...parts });
  onTestFinished(() => server.close());
  return askReadiness(server);
}

describe('readiness', () => {
  it('is given when everything answers', async () => {
    await expect.poll(() => askReadiness(testApp.server), PATIENCE).toEqual([200, { status: 'ready', parts: ALL_OK }]);
  });

  it('names the part that fails, with 503, and does not say why', async () => {
    await expect
      .poll(() => askReadiness(broken), PATIENCE)
      .toEqual([503, { status: 'not_ready', parts: { ...ALL_OK, storage: 'failed' } }]);
  });

  it.each([
    [9 * GIB, 200, 'ok'],
    [GIB, 200, 'warning'],
    [GIB / 32, 503, 'failed'],
  ])('with %i bytes left is %i, and the space is %s', async (bytes, status, space) => {
    const storage = { ...testApp.app.storage, findFreeBytes: async () => bytes };
    await expect.poll(() => askWith({ storage }), PATIENCE).toMatchObject([status, { parts: { space } }]);
  });

  it('stays with a warning while the quota of the storage is full, because what is in it is served', async () => {
    const check = () => Promise.reject(new StorageFullError(new Error('QuotaExceeded')));
    const storage = { ...testApp.app.storage, check };
    await expect.poll(() => askWith({ storage }), PATIENCE).toMatchObject([200, { parts: { storage: 'warning' } }]);
  });

  it.each([
    [3, 'ok'],
    [45, 'warning'],
    [null, 'warning'],
  ])('with a worker that was seen %s seconds ago stays, and the worker is %s', async (workerSeenSecondsAgo, worker) => {
    const queue = { ...testApp.app.queue, measure: async () => ({ waiting: [], workerSeenSecondsAgo }) };
    await expect.poll(() => askWith({ queue }), PATIENCE).toMatchObject([200, { parts: { worker } }]);
  });

  it('stays with a warning when neither mails nor engine can be reached, and asks them once a minute', async () => {
    let looks = 0;
    const refuse = async () => {
      looks++;
      throw new Error('connection refused');
    };
    const mailer = { ...testApp.app.mailer, check: refuse };
    const engine = { ...testApp.engine, check: refuse };
    const engines = { all: [engine], find: () => engine, of: () => engine };
    const server = await createServer({ ...testApp.app, mailer, engines });
    onTestFinished(() => server.close());
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    onTestFinished(() => clock.mockRestore());
    expect(await askReadiness(server)).toMatchObject([200, { parts: { mail: 'warning', engine: 'warning' } }]);
    clock.mockReturnValue(1_030_000);
    await askReadiness(server);
    expect(looks).toBe(2);
    clock.mockReturnValue(1_061_000);
    await askReadiness(server);
    expect(looks).toBe(4);
  });
});

it('parallel questions about readiness share one check', async () => {
  // The clock stands still, however long the machine takes.
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let looks = 0;
  const { app } = testApp;
  const storage = { ...app.storage, check: async () => void looks++ };
  const server = await createServer({ ...app, storage });
  await Promise.all(Array.from({ length: 20 }, () => server.inject('/readyz')));
  await server.inject('/readyz');
  expect(looks).toBe(1);
  vi.advanceTimersByTime(2100);
  await server.inject('/readyz');
  expect(looks).toBe(2);
  await server.close();
});

describe('the metrics', () => {
  it('are figures in the format of Prometheus', async () => {
    const countRefusals = ({ body }: { body: string }) =>
      Number(/^podium_http_answers_total\{status="4xx"\} (\d+)$/m.exec(body)?.[1] ?? 0);
    const before = countRefusals(await testApp.server.inject('/metrics'));
    await testApp.server.inject('/api/no-such');
    const response = await testApp.server.inject('/metrics');
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of response.body.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]+"(,\w+="[^"]+")*\})? [\d.e+-]+)$/);
    }
    expect(response.body).toMatch(/^podium_uptime_seconds [\d.]+$/m);
    expect(countRefusals(response)).toBe(before + 1);
  });

  it.each(['127.0.0.1', '::1', '::ffff:10.1.2.3', '192.168.0.7', 'fd12::1'])('are shown to %s', async (address) => {
    expect((await testApp.server.inject({ url: '/metrics', remoteAddress: address })).statusCode).toBe(200);
  });

  it.each(['203.0.113.9', '172.32.0.1', '2001:db8::1', '::ffff:203.0.113.9'])(
    'are not there for %s',
    async (address) => {
      const response = await testApp.server.inject({ url: '/metrics', remoteAddress: address });
      expect([response.statusCode, response.json().code]).toEqual([404, 'route_not_found']);
    },
  );

  it('stay inside behind a proxy, whether it is known or not', async () => {
    const forwarded = (visitor: string) => ({ url: '/metrics', headers: { 'x-forwarded-for': visitor } });
    expect((await testApp.server.inject(forwarded('10.0.0.9'))).statusCode).toBe(404);
    const config = { ...testApp.app.config, trustedProxies: ['127.0.0.1'] };
    const behindProxy = await createServer({ ...testApp.app, config });
    expect((await behindProxy.inject(forwarded('203.0.113.9'))).statusCode).toBe(404);
    expect((await behindProxy.inject(forwarded('10.0.0.9'))).statusCode).toBe(200);
    await behindProxy.close();
  });
});

it.each(['/readyz', '/metrics', '/api/docs/json', '/help'])('%s has a limit of 1200 answers a minute', async (url) => {
  // The first request counts as 1,199 at the only limit of these addresses.
  const { consume } = RateLimiterMemory.prototype;
  const spy = vi.spyOn(RateLimiterMemory.prototype, 'consume');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementationOnce(function (this: RateLimiterMemory, key) {
    return consume.call(this, key, 1199);
  });
  const ask = async () => (await testApp.server.inject({ url, remoteAddress: '10.9.9.9' })).statusCode === 429;
  expect([await ask(), await ask(), await ask()]).toEqual([false, false, true]);
});
