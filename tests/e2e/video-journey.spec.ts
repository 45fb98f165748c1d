import { expect, test } from 'playwright/test';
import { setPace } from './fixture.ts';
import { choosePhoto, collectComplaints, registerThroughPage } from './newcomer.ts';

/** The one render of these tests, and the copy with the logo. They give way to all other work of a busy machine. */
const RENDER_TIMEOUT_MS = 150_000;
const COPY_TIMEOUT_MS = 60_000;

test('a newcomer makes a video from a photo, reloads in the middle, comes back and finds it in the history', {
  tag: '@once',
}, async ({ page }) => {
  test.setTimeout(test.info().timeout + RENDER_TIMEOUT_MS + COPY_TIMEOUT_MS);
  const complaints = collectComplaints(page);
  await registerThroughPage(page);
  const { id: accountId } = await (await page.request.get('/api/auth/user')).json();
  await setPace({ accountId }, 'rendered');
  await expect(page.getByText(/^2(\s*звезды)?$/).first()).toBeVisible();

  await page.goto('/dashboard/create-video');
  await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
  await choosePhoto(page);
  await page.getByRole('radio', { name: 'Дефиле' }).click();

  const generate = page.getByRole('button', { name: /Создать видео/ });
  await expect(generate).toContainText('1');
  await generate.click();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение/).first()).toBeVisible();

  await page.reload();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible();
  // The drawing of a page that waits would take a share of the processor from the render.
  await page.goto('about:blank');
  const listVideos = async () => (await (await page.request.get('/api/videos')).json()).videos;
  await expect.poll(listVideos, { timeout: RENDER_TIMEOUT_MS }).toHaveLength(1);

  await page.goto('/dashboard/create-video');
  const retrieve = page.getByRole('button', { name: 'Получить видео' });
  const download = page.getByRole('button', { name: 'Скачать' });
  await expect(retrieve.or(download).first()).toBeVisible();
  if (await retrieve.isVisible()) await retrieve.click();

  const player = page.locator('video');
  await expect(player).toBeVisible();
  // Its copy with the logo is made now.
  await expect
    .poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState), { timeout: COPY_TIMEOUT_MS })
    .toBeGreaterThanOrEqual(2);
  const facts = await player.evaluate((video: HTMLVideoElement) => ({
    width: video.videoWidth,
    height: video.videoHeight,
    duration: video.duration,
  }));
  expect(facts).toEqual({ width: 1080, height: 1440, duration: expect.closeTo(5, 1) });

  await page.reload();
  await expect(page.getByRole('region', { name: 'История видео' }).getByRole('button').first()).toBeVisible();
  await page.goto('/app');
  await expect(page.getByText(/1\s*звезда/).first()).toBeVisible();
  expect(complaints).toEqual([]);
});
