import { gzipSync } from 'node:zlib';
import { type CDPSession, expect } from 'playwright/test';
import sharp from 'sharp';
import { z } from 'zod';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { test, waitForWorker } from './installed.ts';

const picture = z.object({ src: z.string(), sizes: z.string(), type: z.string() });
const manifest = z.object({
  id: z.literal('/'),
  name: z.string().min(1),
  short_name: z.string().max(12),
  description: z.string().max(300),
  lang: z.literal('ru'),
  dir: z.literal('ltr'),
  start_url: z.literal('/app?source=pwa'),
  scope: z.literal('/'),
  display: z.literal('standalone'),
  theme_color: z.string(),
  background_color: z.string(),
  categories: z.array(z.string()).min(1),
  icons: z.array(picture.extend({ purpose: z.enum(['any', 'maskable']) })),
  screenshots: z.array(picture.extend({ form_factor: z.enum(['narrow', 'wide']), label: z.string().min(1) })),
  shortcuts: z.array(z.object({ name: z.string(), url: z.string(), icons: z.array(picture).min(1) })).length(4),
  share_target: z.object({ action: z.literal('/share-target'), method: z.literal('POST') }),
  file_handlers: z.array(z.object({ action: z.string(), accept: z.record(z.string(), z.array(z.string())) })),
  launch_handler: z.object({ client_mode: z.array(z.string()) }),
});

test('the browser finds nothing that keeps the app from being installed, and offers it', async ({ page, context }) => {
  await page.addInitScript(() =>
    addEventListener('beforeinstallprompt', () => document.documentElement.classList.add('offered')),
  );
  const cdp = await context.newCDPSession(page);
  const examine = async (path: string) => {
    await page.goto(path);
    await expect(page.locator('html.offered')).toBeAttached();
    expect((await cdp.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([]);
  };
  await examine('/');
  await signInAsNew(page);
  await examine('/app');
});

test('the manifest says all it can, and every file it names is what it says', async ({ page }) => {
  const answer = await page.request.get('/manifest.webmanifest');
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const given = await answer.json();
  const { icons, screenshots, shortcuts } = manifest.parse(given);
  // Nothing is promised to the system that no page answers.
  expect(given).not.toHaveProperty('protocol_handlers');
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ]);
  expect(screenshots.filter(({ form_factor }) => form_factor === 'narrow').length).toBeGreaterThanOrEqual(2);
  expect(screenshots.filter(({ form_factor }) => form_factor === 'wide').length).toBeGreaterThanOrEqual(1);
  for (const { src, sizes, type } of [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)]) {
    const file = await page.request.get(src);
    expect(file.headers()['content-type'], src).toBe(type);
    const { width, height } = await sharp(await file.body()).metadata();
    expect(`${width}x${height}`, src).toBe(sizes);
  }
  const touch = await sharp(await (await page.request.get('/icons/apple-touch-icon.png')).body()).metadata();
  expect([touch.width, touch.height]).toEqual([180, 180]);
});

test('a mask cuts nothing off the icon', async ({ page }) => {
  const file = await page.request.get('/icons/icon-maskable-512.png');
  const { data, info } = await sharp(await file.body())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const ground = [data[0], data[1], data[2]];
  const middle = info.width / 2;
  let farthest = 0;
  for (let y = 0; y < info.height; y += 1) {
    for (let x = 0; x < info.width; x += 1) {
      const at = (y * info.width + x) * 3;
      const isGround = ground.every((value, channel) => Math.abs((data[at + channel] ?? 0) - (value ?? 0)) < 12);
      if (!isGround) farthest = Math.max(farthest, Math.hypot(x - middle, y - middle));
    }
  }
  expect(farthest).toBeGreaterThan(100);
  expect(farthest).toBeLessThanOrEqual(info.width * 0.4);
});

test('every shortcut opens its page', async ({ page }) => {
  await signInAsNew(page);
  const { shortcuts } = manifest.parse(await (await page.request.get('/manifest.webmanifest')).json());
  for (const { url } of shortcuts) {
    await page.goto(url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(new URL(url, page.url()).pathname);
  }
});

test('installed, the app opens photos of the computer', async ({ page, context, baseURL }) => {
  await page.goto('/cases');
  await waitForWorker(page);
  const cdp: CDPSession = await context.newCDPSession(page);
  const manifestId = `${baseURL}/`;
  await cdp.send('PWA.install', { manifestId, installUrlOrBundleUrl: `${baseURL}/cases` });
  const { fileHandlers } = await cdp.send('PWA.getOsAppState', { manifestId });
  await cdp.send('PWA.uninstall', { manifestId });
  expect(fileHandlers.flatMap(({ accepts }) => accepts.map(({ mediaType }) => mediaType)).sort()).toEqual([
    'image/avif',
    'image/heic',
    'image/jpeg',
    'image/png',
    'image/webp',
  ]);
});

test('a photo that the system opens with the app is taken up', async ({ page }) => {
  await signInAsNew(page);
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.addInitScript((text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const handle = { getFile: async () => new File([bytes], 'с диска.jpg', { type: 'image/jpeg' }) };
    // Only the system itself can launch with files: what it hands over comes from here.
    const launchQueue = {
      setConsumer: (consume: (launch: { files: object[] }) => void) => {
        if (location.search.includes('share=')) consume({ files: [handle] });
      },
    };
    Object.defineProperty(window, 'launchQueue', { value: launchQueue });
  }, photo.toString('base64'));
  const { file_handlers: handlers } = manifest.parse(await (await page.request.get('/manifest.webmanifest')).json());
  await page.goto(handlers[0]?.action ?? '');
  await expect(page.getByText('Изображение загружено')).toBeVisible();
  await expect(page.getByText('с диска.jpg')).toBeVisible();
  await page.reload();
  await expect(page.getByText('с диска.jpg')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});

test('what may change is asked for each time, what cannot is kept, and what is gone is not a page', async ({
  page,
}) => {
  for (const path of ['/sw.js', '/index.html', '/manifest.webmanifest', '/app']) {
    expect((await page.request.get(path)).headers()['cache-control'], path).toBe('no-cache');
  }
  const [asset] = (await (await page.request.get('/index.html')).text()).match(/\/assets\/[^"]+\.js/) ?? [];
  expect((await page.request.get(asset ?? '')).headers()['cache-control']).toContain('immutable');
  const missing = await page.request.get('/assets/gone-12345678.js');
  expect(missing.status()).toBe(404);
  expect(missing.headers()['content-type']).not.toContain('text/html');
});

test('what is kept from the start is at most 1.5 MB on the line, no file of it over 2 MiB', async ({ page }) => {
  await page.goto('/cases');
  await waitForWorker(page);
  const kept = await page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.includes('precache'));
    const cache = await caches.open(name ?? '');
    const urls = (await cache.keys()).map(({ url }) => url);
    return urls;
  });
  let total = 0;
  for (const url of kept) {
    const body = await (await page.request.get(url)).body();
    expect(body.length, url).toBeLessThan(2 * 1024 * 1024);
    total += url.endsWith('.woff2') ? body.length : gzipSync(body).length;
  }
  console.log(`precache: ${kept.length} files, ${total} bytes compressed`);
  expect(kept.length).toBeGreaterThan(50);
  expect(total).toBeLessThan(1.5e6);
});

test('slow 4G lets the worker have all it keeps within ten seconds', async ({ launch, front }) => {
  const install = async () => {
    const context = await launch();
    const page = context.pages()[0] ?? (await context.newPage());
    const registered = context.waitForEvent('request', (request) => request.url().endsWith('/sw.js'));
    await page.goto(`${front.url}/cases`);
    await registered;
    const startedAt = Date.now();
    await waitForWorker(page);
    const seconds = (Date.now() - startedAt) / 1000;
    await context.close();
    return seconds;
  };
  // What this machine takes by itself is no matter of the line.
  const withoutWaiting = await install();
  // 1.6 Mbit/s and 150 ms, as such a line is commonly simulated; by HTTP/1.1, as hard as it gets.
  front.slowDown({ bytesPerSecond: 200_000, latencyMs: 150 });
  const seconds = await install();
  console.log(`installation of the worker over slow 4G: ${seconds} s, without a slow line ${withoutWaiting} s`);
  expect(seconds - withoutWaiting).toBeLessThan(10);
});
