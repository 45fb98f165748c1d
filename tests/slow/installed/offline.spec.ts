import { expect } from 'playwright/test';
import { addImages, addVideo, signInAsNew } from '#tests/e2e/fixture.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { test, waitForWorker } from './installed.ts';

const OFFLINE_BAR = 'Нет сети. Показаны сохранённые данные.';

test('without a network a second visit opens every page of the app, and says that there is none', async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await context.setOffline(true);
  for (const [path, heading] of [
    ['/app', /Доброе|Добрый|Доброй/],
    ['/dashboard/gallery', 'Галерея'],
    ['/payment/success', /Проверяем|Оплата|[Пп]латёж/],
    ['/nowhere', /404|не найдена|Страница/],
    ['/', /Доброе|Добрый|Доброй/],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(heading);
    await expect(page.getByText(OFFLINE_BAR)).toBeVisible();
  }
});

test('without a network the settings say what is missing, and no call that failed complains', async ({
  page,
  context,
}) => {
  const warnings: string[] = [];
  page.on('console', (message) => warnings.push(message.text()));
  await page.clock.install();
  await signInAsNew(page);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Пароль' })).toBeVisible();
  await waitForWorker(page);
  await context.setOffline(true);
  await page.goto('/settings');
  await expect(page.getByText('Без сети здесь только часть настроек')).toBeVisible();
  await expect(page.getByText('Баланс:')).toBeHidden();
  // Nothing is asked for again either.
  await page.clock.runFor(60_000);
  await expect(page.getByText('Не удалось получить баланс звезд')).toBeHidden();
  expect(warnings.filter((text) => text.includes('push is not kept'))).toEqual([]);
  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Пароль' })).toBeVisible();
  await expect(page.getByText('Без сети здесь только часть настроек')).toBeHidden();
});

test('a visitor without a network sees the site and not an error of the browser', async ({ page, context }) => {
  await page.goto('/');
  await waitForWorker(page);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(OFFLINE_BAR)).toBeVisible();
});

test('offline the gallery and what runs are there, with the time they were last told', async ({ page, context }) => {
  const owner = await signInAsNew(page, { pace: 'held' });
  await addImages(owner, { kind: 'model_change', title: 'Пальто', count: 3 });
  const image = await drawProductPhoto('garment', { width: 600, height: 800 });
  const multipart = { image: { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: image } };
  const { id: imageId } = await (await page.request.post('/api/upload', { multipart })).json();
  await page.goto('/app');
  await waitForWorker(page);
  await page.goto('/dashboard/gallery');
  const pictures = page.getByRole('main').getByRole('listitem').locator('img');
  await expect(pictures).toHaveCount(3);
  await page.evaluate(() => Promise.all([...document.images].map((picture) => picture.decode().catch(() => null))));
  // The device keeps the list a moment after it has come.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toMatch(/queryKey[\\":[]+results/);
  const started = await page.request.post('/api/generate', { data: { imageId, settings: {} } });
  const { generationId } = await started.json();
  await page.goto('/app');
  await expect(page.getByRole('region', { name: 'Видео создаётся' })).toBeVisible();
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(generationId);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Видео создаётся' })).toContainText(/данные\sот\s\d\d:\d\d/);
  await page.goto('/dashboard/gallery');
  await expect(page.getByText(/Показаны данные\sот\s\d\d:\d\d/)).toBeVisible();
  await expect(page.getByRole('heading', { name: /Пальто/ })).toHaveCount(3);
  await expect
    .poll(() => pictures.first().evaluate((picture: HTMLImageElement) => picture.naturalWidth))
    .toBeGreaterThan(0);

  // A picture that is not kept: a silhouette in its place.
  await page.evaluate(async () => {
    for (const name of await caches.keys()) if (name.startsWith('podium-media')) await caches.delete(name);
  });
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem').locator('.sil-box')).toHaveCount(3);
});

test('the worker keeps no answer of the API, and offline there is none', async ({ page, context }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const kept = await page.evaluate(async () => {
    const urls: string[] = [];
    for (const name of await caches.keys()) {
      urls.push(...(await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname));
    }
    return urls;
  });
  expect(kept.length).toBeGreaterThan(50);
  expect(kept.filter((path) => path.startsWith('/api'))).toEqual([]);
  await context.setOffline(true);
  const outcome = await page.evaluate(() =>
    fetch('/api/stars/balance').then(
      () => 'answered',
      () => 'rejected',
    ),
  );
  expect(outcome).toBe('rejected');
});

test('a request that is no page of the app reaches the server', async ({ page }) => {
  await page.goto('/cases');
  await waitForWorker(page);
  for (const path of ['/api/video-proxy/1', '/api/download-image', '/preview.jpg', '/sitemap.xml']) {
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await page.goto(path).catch(() => undefined);
    expect((await answered).fromServiceWorker(), path).toBe(false);
  }
});

test('a video and parts of a file come from the server and not from the worker', async ({ page }) => {
  const owner = await signInAsNew(page);
  await addVideo(owner);
  await page.goto('/app');
  await waitForWorker(page);
  const { videos } = await (await page.request.get('/api/videos')).json();
  const answerTo = (path: string) => page.waitForResponse((response) => new URL(response.url()).pathname === path);
  const path = `/api/video-proxy/${videos[0].videoId}`;
  // The first request has the copy made.
  await expect.poll(async () => (await page.request.get(path)).status(), { timeout: 60_000 }).toBe(200);
  const played = answerTo(path);
  await page.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('video'), { src, preload: 'auto', muted: true }));
  }, path);
  const video = await played;
  expect([video.status(), video.fromServiceWorker()]).toEqual([206, false]);

  const asked = answerTo('/preview.jpg');
  await page.evaluate(() => fetch('/preview.jpg', { headers: { range: 'bytes=0-99' } }).then(({ status }) => status));
  const part = await asked;
  expect([part.status(), part.fromServiceWorker()]).toEqual([206, false]);
});
