import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addErrorHandler, answerError } from '#api/plugins/error-handler.ts';
import { addStaticFiles, replaceUndecodableAddress } from '#api/plugins/static-files.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { APP_PATHS } from '#shared/rules/app-paths.ts';

const DOCUMENT = '<!doctype html><title>Подиум</title>';
const SCRIPT = 'console.log("подиум");\n'.repeat(100);
let folder: string;
let built: FastifyInstance;
let unbuilt: FastifyInstance;

async function startServer(pwa: string): Promise<FastifyInstance> {
  const server = Fastify({ frameworkErrors: answerError, rewriteUrl: replaceUndecodableAddress });
  addErrorHandler(server);
  server.get('/api/known', async () => ({}));
  const app = { log: pino({ level: 'silent' }), config: { publicUrl: 'http://localhost', dataDir: folder } };
  await addStaticFiles(server, app as unknown as AppContext, { folder: pwa });
  return server;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-static-'));
  const pwa = path.join(folder, 'pwa');
  await mkdir(path.join(pwa, 'assets'), { recursive: true });
  await mkdir(path.join(pwa, '.well-known'));
  await writeFile(path.join(folder, 'secret.txt'), 'secret');
  const files: Record<string, string | Buffer> = {
    'index.html': DOCUMENT,
    'index.html.gz': gzipSync(DOCUMENT),
    'assets/main-Ab12cd34.js': SCRIPT,
    'assets/main-Ab12cd34.js.gz': gzipSync(SCRIPT),
    'assets/main-Ab12cd34.js.br': 'brotli',
    'assets/picture-Ab12cd34.webp': 'picture',
    'service-worker.js': 'self',
    'manifest.webmanifest': '{}',
    'icon.png': 'icon',
    '.env': 'secret',
    '.well-known/secret': 'secret',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(pwa, name), content);
  built = await startServer(pwa);
  unbuilt = await startServer(path.join(folder, 'nothing'));
});
afterAll(async () => {
  await Promise.all([built.close(), unbuilt.close()]);
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => built.inject({ url, headers });

describe('pages', () => {
  test.each(APP_PATHS)('%s is the document', async (page) => {
    const response = await get(`${page}?openBuyStars=true`);
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(DOCUMENT);
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
  });

  test('are revalidated by their tag', async () => {
    const { headers } = await get('/app');
    const again = await get('/app', { 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  test('an address that is no page is the document with 404, also when asked for again or in part', async () => {
    for (const url of [
      '/nothing',
      '/dashboard/nothing',
      '/app/nothing',
      '/nothing/',
      '//evil.example/',
      '/%D0%BD%D0%B5%D1%82',
    ]) {
      const { headers } = await get('/app');
      for (const extra of [{}, { 'if-none-match': String(headers.etag) }, { range: 'bytes=0-3' }]) {
        const response = await get(url, extra as Record<string, string>);
        expect([url, response.statusCode, response.body]).toEqual([url, 404, DOCUMENT]);
        expect(response.headers['cache-control']).toBe('no-cache');
      }
    }
  });

  test.each([
    ['/legal', '/terms-of-service'],
    ['/dashboard', '/app'],
  ])('%s leads to %s', async (url, location) => {
    const response = await get(url);
    expect([response.statusCode, response.headers.location]).toEqual([301, location]);
  });

  test.each([
    ['/cases/', '/cases'],
    ['/CASES?from=mail', '/cases?from=mail'],
    ['/Dashboard/Gallery/', '/dashboard/gallery'],
    ['/legal/', '/legal'],
    ['/help/', '/help'],
  ])('%s, typed with a slash or capitals too many, leads to %s', async (url, location) => {
    const response = await get(url);
    expect([response.statusCode, response.headers.location]).toEqual([308, location]);
  });

  test('an address that cannot be decoded gives a browser the page with 404, and a machine an invalid request', async () => {
    const page = await get('/%E0%A4%A', { accept: 'text/html,*/*' });
    expect([page.statusCode, page.body]).toEqual([404, DOCUMENT]);
    for (const [url, accept] of [
      ['/%E0%A4%A', '*/*'],
      ['/api/%E0%A4%A', 'text/html'],
    ] as const) {
      const answer = await get(url, { accept });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    }
  });

  test('a sign-in form that the browser itself sends leads back to its page', async () => {
    const response = await built.inject({
      method: 'POST',
      url: '/auth?tab=register',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=anna%40example.com&password=secret',
    });
    expect([response.statusCode, response.headers.location]).toEqual([303, '/auth']);
  });

  test('a request for an icon from a client that has read no page leads to it', async () => {
    const response = await get('/favicon.ico');
    expect([response.statusCode, response.headers.location]).toEqual([301, '/icons/icon-192.png']);
  });

  test('HEAD answers without the document', async () => {
    const response = await built.inject({ method: 'HEAD', url: '/app' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });
});

describe('files', () => {
  test('with a hash in the name are kept for a year', async () => {
    const response = await get('/assets/main-Ab12cd34.js');
    expect(response.body).toBe(SCRIPT);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringContaining('javascript; charset=utf-8'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: expect.stringMatching(/accept-encoding/i),
    });
  });

  test.each([
    ['/service-worker.js', 'no-cache'],
    ['/manifest.webmanifest', 'no-cache'],
    ['/index.html', 'no-cache'],
    ['/icon.png', 'public, max-age=3600'],
  ])('%s: %s', async (url, cacheControl) => {
    const response = await get(url);
    expect([response.statusCode, response.headers['cache-control']]).toEqual([200, cacheControl]);
  });

  test('come compressed to clients that support it, with the same type and lifetime', async () => {
    const gzip = await get('/assets/main-Ab12cd34.js', { 'accept-encoding': 'gzip' });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(SCRIPT);
    expect(gzip.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': expect.stringContaining('javascript; charset=utf-8'),
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const brotli = await get('/assets/main-Ab12cd34.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect([brotli.headers['content-encoding'], brotli.body]).toEqual(['br', 'brotli']);
    const page = await get('/nothing', { 'accept-encoding': 'gzip' });
    expect([page.statusCode, gunzipSync(page.rawPayload).toString()]).toEqual([404, DOCUMENT]);
    const picture = await get('/assets/picture-Ab12cd34.webp', { 'accept-encoding': 'gzip, br' });
    expect([picture.headers['content-encoding'], picture.body]).toEqual([undefined, 'picture']);
  });

  test.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/../../secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/.env',
    '/.well-known/secret',
    '/assets',
    '/assets/',
    '/assets/%00',
    '//secret.txt',
  ])('nothing else is given out: %s', async (url) => {
    const response = await get(url);
    expect(response.statusCode).toBeGreaterThanOrEqual(400);
    expect(response.statusCode).toBeLessThan(500);
    expect(response.body).not.toContain('secret');
  });
});

describe('addresses of machines', () => {
  test.each(['/api/nothing', '/media/nothing', '/media', '/assets/old-Zz99zz99.js'])(
    '%s that is not there answers JSON, built or not',
    async (url) => {
      for (const server of [built, unbuilt]) {
        const response = await server.inject({ url });
        expect(response.statusCode).toBe(404);
        expect(response.json()).toMatchObject({ code: 'route_not_found', message: 'Такого адреса нет' });
      }
    },
  );

  test('a page cannot be posted to', async () => {
    const response = await built.inject({ method: 'POST', url: '/app' });
    expect([response.statusCode, response.json().code]).toEqual([404, 'route_not_found']);
  });
});

test('without a build pages answer 503 in plain words, and the API works', async () => {
  for (const url of ['/', '/app', '/nothing']) {
    const response = await unbuilt.inject({ url });
    expect(response.statusCode).toBe(503);
    expect(response.headers['content-type']).toContain('text/plain');
    expect(response.body).toMatch(/не собран/);
  }
  expect((await unbuilt.inject({ url: '/api/known' })).statusCode).toBe(200);
});
