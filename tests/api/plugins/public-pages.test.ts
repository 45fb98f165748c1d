import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addErrorHandler } from '#api/plugins/error-handler.ts';
import { addStaticFiles } from '#api/plugins/static-files.ts';
import { addPackage } from '#api/services/stars/packages.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';

const DOCUMENT = '<!doctype html><title>made by the browser</title>';
/** Replaces the renderer of the build. Its pages contain their data, and rendering fails on demand. */
const RENDERER = `
  export const renders = [];
  export const state = { isBroken: false };
  export function createPublicPageRenderer(document) {
    return {
      paths: ['/', '/auth', '/cases'],
      async render(path, data) {
        renders.push(path);
        if (state.isBroken) throw new Error('broken');
        return document + path + JSON.stringify(data) + ' '.repeat(2000);
      },
    };
  }
`;
interface Renderer {
  renders: string[];
  state: { isBroken: boolean };
}

let folder: string;
const testApp = useTestApp({ env: { PUBLIC_URL: 'https://podium.test', OPERATOR_NAME: 'ИП $& Петров' } });
let server: FastifyInstance;
let renderer: Renderer;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'podium-pages-'));
  const file = path.join(folder, '.prerendering/create-page-renderer.js');
  await mkdir(path.dirname(file));
  await writeFile(file, RENDERER);
  await writeFile(path.join(folder, '.prerendering/package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'index.html'), DOCUMENT);
  server = Fastify();
  addErrorHandler(server);
  await addStaticFiles(server, testApp.app, { folder });
  renderer = (await import(file)) as Renderer;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('the document of every page', () => {
  const META = '<meta name="tag-manager" content="GTM-AB12CD3">';
  const SEEN = ['/cases', '/app', '/index.html', '/auth?next=%2Fapp', '/nothing'];
  const openWith = async (tagManagerId: string | undefined) => {
    await writeFile(path.join(folder, 'index.html'), '<!doctype html><html><head></head></html>');
    await writeFile(path.join(folder, 'sw.js'), 'keep();');
    const other = Fastify();
    addErrorHandler(other);
    await addStaticFiles(other, { ...testApp.app, config: { ...testApp.app.config, tagManagerId } }, { folder });
    const bodies = await Promise.all([...SEEN, '/sw.js'].map(async (url) => (await other.inject(url)).body));
    await other.close();
    return { documents: bodies.slice(0, -1), worker: bodies.at(-1) };
  };

  test('names the tag manager where there is one, and the worker knows that it does', async () => {
    const { documents, worker } = await openWith('GTM-AB12CD3');
    expect(documents.map((body) => body.split(META).length - 1)).toEqual(SEEN.map(() => 1));
    expect(worker).toBe("self.documentVariant = 'GTM-AB12CD3';\nkeep();");
  });

  test('names none without the setting', async () => {
    const { documents, worker } = await openWith(undefined);
    expect(documents.filter((body) => body.includes('tag-manager'))).toEqual([]);
    expect(worker).toBe('keep();');
  });
});

describe('a public page', () => {
  test('is made of the configuration and the database when it is first asked for, and then kept', async () => {
    expect(renderer.renders).toEqual([]);
    const first = await get('/cases?utm_source=mail');
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect(first.body).toContain('"origin":"https://podium.test"');
    expect(first.body).toContain('ИП $& Петров');
    expect(first.body).toContain('"stars":100');
    expect((await get('/cases')).body).toBe(first.body);
    expect(renderer.renders).toEqual(['/cases']);
  });

  test('shows new packages within half a minute', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const before = await get('/');
    await addPackage(testApp.app, { name: 'Новинка', stars: 77, priceKopecks: 300_000 });
    now.mockReturnValue(1_000_000 + 29_000);
    expect((await get('/')).body).toBe(before.body);
    now.mockReturnValue(1_000_000 + 31_000);
    const after = await get('/');
    expect(after.body).toContain('Новинка');
    expect(after.headers.etag).not.toBe(before.headers.etag);
    // The data is read again but has not changed, so no page is rendered.
    now.mockReturnValue(1_000_000 + 90_000);
    await get('/');
    expect(renderer.renders).toEqual(['/', '/']);
  });

  test('comes compressed to clients that support it', async () => {
    const plain = await get('/cases');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const br = await get('/cases', { 'accept-encoding': 'gzip, deflate, br' });
    expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    const gzip = await get('/cases', { 'accept-encoding': 'gzip, br;q=0' });
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
    expect(gzip.rawPayload.length).toBeLessThan(plain.rawPayload.length);
  });

  test('is not sent again to a client that has it', async () => {
    const { headers } = await get('/cases');
    const again = await get('/cases', { 'if-none-match': `"other", ${headers.etag}` });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await get('/cases', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('is sent once, without an error about a second answer', async () => {
    const warn = vi.spyOn(server.log, 'warn');
    await get('/');
    await get('/app');
    await get('/nothing');
    expect(warn).not.toHaveBeenCalled();
  });

  test('answers HEAD without the page', async () => {
    const response = await server.inject({ method: 'HEAD', url: '/' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });

  test('whose form depends on the query is made by the browser, like all pages of the app', async () => {
    for (const url of ['/auth?tab=register', '/auth?next=%2Fapp', '/app', '/payment/success']) {
      const response = await get(url);
      expect([url, response.statusCode, response.body]).toEqual([url, 200, DOCUMENT]);
    }
    expect((await get('/auth')).body).not.toBe(DOCUMENT);
  });
});

test('an unknown address gets the page that says so, with 404, also when asked for again', async () => {
  const response = await get('/nothing');
  expect(response.statusCode).toBe(404);
  expect(response.body).toContain(`${DOCUMENT}/404`);
  const again = await get('/nothing', { 'if-none-match': String(response.headers.etag ?? '*') });
  expect([again.statusCode, again.body]).toEqual([404, response.body]);
});

test('what cannot be prerendered is made by the browser, until it can be', async () => {
  const complain = vi.spyOn(testApp.app.log, 'error');
  renderer.state.isBroken = true;
  expect(await get('/')).toMatchObject({ statusCode: 200, body: DOCUMENT });
  expect(await get('/nothing')).toMatchObject({ statusCode: 404, body: DOCUMENT });
  expect(complain).toHaveBeenCalledTimes(2);
  renderer.state.isBroken = false;
  expect((await get('/')).body).toContain('podium.test');
});

describe('search engines', () => {
  test('learn of every public page', async () => {
    const response = await get('/sitemap.xml');
    expect(response.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect([...response.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'https://podium.test/',
      'https://podium.test/auth',
      'https://podium.test/cases',
    ]);
  });

  test('are kept from everything of a person’s own', async () => {
    const { body, headers } = await get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const start of ['/api/', '/media/', '/dashboard/', '/app', '/settings', '/stars']) {
      expect(body).toContain(`\nDisallow: ${start}\n`);
    }
    expect(body).toContain('Sitemap: https://podium.test/sitemap.xml');
    expect(body).not.toContain('Disallow: /\n');
  });
});
