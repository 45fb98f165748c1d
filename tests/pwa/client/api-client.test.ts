import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { buildUrl, callApi, setUnauthorizedListener } from '#pwa/client/api-client.ts';
import { getUser, login } from '#shared/contract/account.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { getStarBalance } from '#shared/contract/stars.ts';

interface Answer {
  status: number;
  body: string;
}
let server: Server;
let answer: Answer;
let received: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string };
const browserFetch = globalThis.fetch;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received = { method: request.method, url: request.url, headers: request.headers, body };
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  // In a browser the paths are relative to the page.
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => browserFetch(`http://127.0.0.1:${port}${path}`, init));
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => setUnauthorizedListener(null));
afterAll(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  server.close();
});

const getVideo = defineEndpoint({
  method: 'GET',
  path: '/api/videos/:id/file',
  summary: 'For the test',
  access: 'account',
  params: z.object({ id: z.string() }),
  query: z.object({ download: z.literal('1').optional(), page: z.number().optional() }),
});

describe('callApi', () => {
  test('sends JSON and gives the parsed answer', async () => {
    answer = { status: 200, body: '{"balance":14,"more":true}' };
    expect(await callApi(getStarBalance)).toEqual({ balance: 14 });
    expect(received).toMatchObject({ method: 'GET', url: '/api/stars/balance', body: '' });
    expect(received.headers['content-type']).toBeUndefined();

    answer = { status: 401, body: '{"message":"Неверный email или пароль","code":"invalid_credentials"}' };
    const body = { email: 'a@b.ru', password: 'x' };
    await expect(callApi(login, { body }, { headers: { 'idempotency-key': 'k' } })).rejects.toMatchObject({
      status: 401,
      code: 'invalid_credentials',
      message: 'Неверный email или пароль',
    });
    expect(JSON.parse(received.body)).toEqual(body);
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'idempotency-key': 'k' });
  });

  test('refuses an answer of another shape like one that is not JSON', async () => {
    answer = { status: 200, body: '{"balance":"many"}' };
    await expect(callApi(getStarBalance)).rejects.toMatchObject({
      status: 500,
      message: 'Invalid JSON response from server',
    });
  });

  test('reports a lost session only for calls that need one', async () => {
    const lost = vi.fn();
    setUnauthorizedListener(lost);
    answer = { status: 401, body: '' };
    await expect(callApi(login, { body: { email: 'a@b.ru', password: 'x' } })).rejects.toThrow();
    expect(lost).not.toHaveBeenCalled();
    await expect(callApi(getUser)).rejects.toThrow('Unauthorized');
    expect(lost).toHaveBeenCalledOnce();
  });

  test('reports a session that was lost before anybody listened, once', async () => {
    answer = { status: 401, body: '' };
    await expect(callApi(getUser)).rejects.toThrow('Unauthorized');
    const lost = vi.fn();
    setUnauthorizedListener(lost);
    setUnauthorizedListener(null);
    setUnauthorizedListener(lost);
    expect(lost).toHaveBeenCalledOnce();
  });

  test('answers nothing for an endpoint without an answer', async () => {
    answer = { status: 200, body: '' };
    expect(await callApi(getVideo, { params: { id: '1' }, query: {} })).toBeUndefined();
  });

  test('gives the caller’s own reason after an abort', async () => {
    const reason = new Error('left the page');
    await expect(callApi(getStarBalance, undefined, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('counts a broken connection as status 0', async () => {
    vi.stubGlobal('fetch', () => browserFetch('http://127.0.0.1:1/'));
    await expect(callApi(getStarBalance)).rejects.toMatchObject({ status: 0, message: 'Unknown error' });
  });
});

describe('buildUrl', () => {
  test('fills the placeholders and leaves out what is not given', () => {
    const input = { params: { id: 'a/b?c' }, query: { download: '1', page: undefined } };
    expect(buildUrl(getVideo, input)).toBe('/api/videos/a%2Fb%3Fc/file?download=1');
    expect(buildUrl(getStarBalance, undefined)).toBe('/api/stars/balance');
  });
});
