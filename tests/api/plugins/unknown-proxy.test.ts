import Fastify, { type FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { addUnknownProxyWarning } from '#api/plugins/caller-address.ts';

async function collectWarnings(
  trustProxy: string | false,
  requests: { remoteAddress: string; headers?: Record<string, string> }[],
) {
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) }) as FastifyBaseLogger;
  const server = Fastify({ loggerInstance: logger, trustProxy });
  addUnknownProxyWarning(server);
  server.get('/', async () => '');
  for (const request of requests) await server.inject({ url: '/', ...request });
  await server.close();
  return lines.map((line) => JSON.parse(line));
}

const FORWARDED = { remoteAddress: '10.0.0.7', headers: { 'x-forwarded-for': '203.0.113.5' } };

test('a proxy of this network that TRUSTED_PROXIES does not name is warned of once', async () => {
  const warnings = await collectWarnings(false, [FORWARDED, FORWARDED]);
  expect(warnings).toEqual([
    expect.objectContaining({
      proxy: '10.0.0.7',
      msg: 'a proxy forwards requests, but TRUSTED_PROXIES does not name it',
    }),
  ]);
});

test('a trusted proxy, a visitor without one, and a visitor who makes up the header give no warning', async () => {
  expect(await collectWarnings('10.0.0.0/8', [FORWARDED])).toEqual([]);
  expect(await collectWarnings(false, [{ remoteAddress: '10.0.0.7' }])).toEqual([]);
  expect(await collectWarnings(false, [{ ...FORWARDED, remoteAddress: '203.0.113.9' }])).toEqual([]);
});
