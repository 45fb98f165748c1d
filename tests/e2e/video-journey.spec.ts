import { expect, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { collectComplaints, registerThroughPage } from './newcomer.ts';
import { addVideo, setPace, signInAsNew } from './scene.ts';

/** The one render of these tests, on a busy machine. */
const RENDER_TIMEOUT_MS = 200_000;

const PHOTO_NAME = 'WhatsApp Image 2026-11-21 at 15.30.45 (1) новое красное платье в цветах.jpeg';

test('a newcomer makes a video from a photo, reloads in the middle and finds it in the history', async ({ page }, {
  project,
}) => {
  test.setTimeout(2 * RENDER_TIMEOUT_MS);
  const complaints = collectComplaints(page);
  await registerThroughPage(page);
  const { id: accountId } = await (await page.request.get('/api/auth/user')).json();
  // By the local engine itself, once; the other size is about the page.
  const isRendered = project.name === 'desktop';
  await setPace({ accountId }, isRendered ? 'rendered' : 'held');
  await expect(page.getByText(/^2(\s*звезды)?$/).first()).toBeVisible();

  await page.goto('/dashboard/create-video');
  await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: PHOTO_NAME, mimeType: 'image/jpeg', buffer: photo });
  await expect(page.getByText('Изображение загружено')).toBeVisible();
  // As messengers name it: cut in its card, and not as wide as it is.
  const settings = page.getByRole('region', { name: 'Фото и настройки' });
  await expect(settings.getByText(PHOTO_NAME)).toBeVisible();
  expect(await settings.evaluate((section) => section.scrollWidth <= section.clientWidth)).toBe(true);
  await page.getByRole('radio', { name: 'Дефиле' }).click();

  const generate = page.getByRole('button', { name: /Создать видео/ });
  await expect(generate).toContainText('1');
  await generate.click();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение/).first()).toBeVisible();

  await page.reload();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible();
  if (!isRendered) await setPace({ accountId }, 'instant');
  const retrieve = page.getByRole('button', { name: 'Получить видео' });
  const download = page.getByRole('button', { name: 'Скачать' });
  await expect(retrieve.or(download).first()).toBeVisible({ timeout: RENDER_TIMEOUT_MS });
  if (await retrieve.isVisible()) await retrieve.click();

  const player = page.locator('video');
  await expect(player).toBeVisible();
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThanOrEqual(2);
  const facts = await player.evaluate((video: HTMLVideoElement) => ({
    width: video.videoWidth,
    height: video.videoHeight,
    duration: video.duration,
  }));
  if (isRendered) expect(facts).toEqual({ width: 1080, height: 1440, duration: expect.closeTo(5, 1) });

  await page.reload();
  await expect(page.getByRole('region', { name: 'История видео' }).getByRole('button').first()).toBeVisible();
  await page.goto('/app');
  await expect(page.getByText(/1\s*звезда/).first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a free owner is offered stars instead of the original', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page, { pace: 'held' });
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
  const upload = await page.request.post('/api/upload', {
    multipart: { image: { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo } },
  });
  const { id: imageId } = await upload.json();
  await page.request.post('/api/generate', { data: { imageId, settings: {} } });
  await page.goto('/dashboard/create-video');
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение/).first()).toBeVisible();
  await setPace(owner, 'instant');
  const retrieve = page.getByRole('button', { name: 'Получить видео' });
  const download = page.getByRole('button', { name: 'Скачать' });
  await expect(retrieve.or(download).first()).toBeVisible();
  if (await retrieve.isVisible()) await retrieve.click();
  await download.click();
  await expect(page.getByText('Скачивание оригиналов доступно только платным пользователям').first()).toBeVisible();
  await expect(page.getByText('Бесплатный пользователь')).toBeVisible();
  await page
    .getByRole('link', { name: 'Купить пакет звезд' })
    .or(page.getByRole('button', { name: 'Купить пакет звезд' }))
    .click();
  await expect(page.getByRole('dialog', { name: 'Пополнить звезды' })).toBeVisible();
});

test('a video that does not come for want of a connection says so, and comes when it is asked for again', {
  tag: '@once',
}, async ({ page }) => {
  await addVideo(await signInAsNew(page, { isPaid: true }));
  await page.route(/\/api\/video-proxy/, (route) => route.abort());
  await page.goto('/dashboard/create-video');
  await page.getByRole('region', { name: 'История видео' }).getByRole('button').first().click();
  // The browser itself calls a file that it did not get one of an unknown format.
  const problem = page.getByRole('alert').filter({ hasText: 'Видео не загрузилось: нет связи с сервером' });
  await expect(problem).toBeVisible();
  await page.unrouteAll({ behavior: 'wait' });
  await problem.getByRole('button', { name: 'Повторить' }).click();
  const player = page.locator('video');
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThanOrEqual(2);
  await expect(problem).toBeHidden();
});

test('files that are no product photo are refused with a reason', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  const input = page.locator('input[type=file]').first();
  const refusals: [string, string, Buffer, string][] = [
    ['notes.txt', 'text/plain', Buffer.from('text'), 'Пожалуйста, выберите изображение'],
    ['text.jpg', 'image/jpeg', Buffer.from('text'), 'Не удалось загрузить изображение'],
    ['huge.jpg', 'image/jpeg', Buffer.alloc(10 * 1024 * 1024 + 1), 'Размер файла не должен превышать 10MB'],
    [
      'small.jpg',
      'image/jpeg',
      await drawProductPhoto('garment', { width: 299, height: 300 }),
      'Минимальный размер изображения 300x300 пикселей',
    ],
  ];
  for (const [name, mimeType, buffer, text] of refusals) {
    await input.setInputFiles({ name, mimeType, buffer });
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
});
