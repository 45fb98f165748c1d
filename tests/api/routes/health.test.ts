import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#api/server.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

let testApp: TestApp;
let broken: FastifyInstance;
beforeAll(async () => {
  testApp = await createTestApp();
  const { app } = testApp;
  const fail = async () => {
    throw new Error('disk full');
  };
  broken = await createServer({ ...app, storage: { ...app.storage, check: fail } });
});
afterAll(async () => {
  await broken.close();
  await testApp.close();
});

it('the process says that it is alive', async () => {
  const response = await testApp.server.inject('/healthz');
  expect([response.statusCode, response.json()]).toEqual([200, { status: 'ok' }]);
});

describe('readiness', () => {
  it('is given when database, queue and storage answer', async () => {
    const response = await testApp.server.inject('/readyz');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ready', parts: { database: 'ok', queue: 'ok', storage: 'ok' } });
  });

  it('names the part that fails, with 503, and does not say why', async () => {
    const response = await broken.inject('/readyz');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({
      status: 'not_ready',
      parts: { database: 'ok', queue: 'ok', storage: 'failed' },
    });
  });
});

describe('the metrics', () => {
  it('are figures in the format of Prometheus', async () => {
    await testApp.server.inject('/api/no-such');
    const response = await testApp.server.inject('/metrics');
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const line of response.body.trim().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="\w+"(,\w+="\w+")*\})? [\d.e+-]+)$/);
    }
    expect(response.body).toMatch(/^podium_uptime_seconds [\d.]+$/m);
    expect(response.body).toMatch(/^podium_http_answers_total\{status="4xx"\} 1$/m);
  });

  it('stay inside in production', async () => {
    const server = await createServer({ ...testApp.app, config: { ...testApp.app.config, isProduction: true } });
    expect((await server.inject('/metrics')).statusCode).toBe(200);
    const outside = await server.inject({ url: '/metrics', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(outside.body).not.toContain('podium_');
    await server.close();
  });
});
