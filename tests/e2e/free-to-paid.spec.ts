import { expect, type Page, test } from 'playwright/test';
import { readZip } from '#tests/support/read-zip.ts';
import { addImages, addVideo, creditPayment, signInAsNew } from './fixture.ts';
import { saveFile } from './newcomer.ts';

/** The copy with the logo takes some seconds alone, and a minute on a machine that does ten other things. */
const COPY_TIMEOUT_MS = 50_000;
const UNLOCK = 'Разблокируйте скачивание оригиналов';

interface Served {
  image: Buffer;
  video: Buffer;
  /** Statuses of what gives originals away. */
  originals: number[];
}

/** What the server hands out at every address that the page gets to know. */
async function ask(page: Page): Promise<Served> {
  const { images } = await (await page.request.get('/api/gallery')).json();
  const { videos } = await (await page.request.get('/api/videos')).json();
  const [{ id, imageUrl }] = images;
  const [{ videoId, videoUrl }] = videos;
  const originals = [
    await page.request.post('/api/download-image', { data: { imageId: id } }),
    await page.request.get(`/api/gallery/archive?ids=${id},${videoId}`),
    await page.request.get(`/api/results/${id}/export?fix=pad_3_4`),
    await page.request.get(`${videoUrl}?download=1`),
  ];
  // The first request has the copy made.
  await expect.poll(async () => (await page.request.get(videoUrl)).status(), { timeout: COPY_TIMEOUT_MS }).toBe(200);
  return {
    image: await (await page.request.get(imageUrl)).body(),
    video: await (await page.request.get(videoUrl)).body(),
    originals: originals.map((answer) => answer.status()),
  };
}

test('a payment opens originals, archive and export of what was made before, on the page that is open', {
  tag: '@once',
}, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Квадрат', width: 1200, height: 1200 });
  await addVideo(owner);
  await page.goto('/dashboard/gallery');
  await expect(page.getByText(UNLOCK)).toBeVisible();
  const card = page.getByRole('article').filter({ hasText: 'Квадрат' });
  const picture = card.locator('img').first();
  const watermarked = await picture.getAttribute('src');
  const free = await ask(page);
  expect(free.originals).toEqual([402, 402, 402, 402]);

  await card.getByRole('button', { name: 'Скачать: Квадрат' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Скачивание оригиналов доступно только платным пользователям')).toBeVisible();
  for (const benefit of ['Без водяных знаков', 'Безлимитное скачивание', 'Бесплатный пользователь']) {
    await expect(dialog.getByText(benefit)).toBeVisible();
  }

  await page.keyboard.press('Escape');

  // A player that is open goes over to the original.
  await page.getByRole('button', { name: /^Открыть: .*Видео/ }).click();
  const player = dialog.locator('video');
  await expect(player).toHaveAttribute('src', /^\/api\/video-proxy\/[^?]+$/);
  await creditPayment(owner, { isTold: true });
  await expect(player).toHaveAttribute('src', /\?original$/);
  await expect.poll(() => player.evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(1);
  await page.keyboard.press('Escape');
  const { name, content: original } = await saveFile(page, () =>
    card.getByRole('button', { name: 'Скачать: Квадрат' }).click(),
  );
  expect(name).toBe('Квадрат.jpg');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Обновить' }).click();
  await expect(page.getByText(UNLOCK)).toBeHidden();
  await expect(card.getByRole('button', { name: 'Оригинал HD: Квадрат' })).toBeVisible();
  await expect(picture).not.toHaveAttribute('src', watermarked ?? '');

  const paid = await ask(page);
  expect(paid.originals).toEqual([200, 200, 200, 200]);
  expect(paid.image.equals(original)).toBe(true);
  expect(free.image.equals(original)).toBe(false);
  expect(free.video.equals(paid.video)).toBe(false);

  await page.getByRole('button', { name: 'Выбрать', exact: true }).click();
  await page.getByRole('button', { name: 'Выбрать: Квадрат' }).click();
  await page.getByRole('button', { name: /^Выбрать: Видео/ }).click();
  const archive = await saveFile(page, () => page.getByRole('button', { name: 'Скачать ZIP' }).click());
  await expect(dialog).toBeHidden();
  const files = [...(await readZip(archive.content)).values()];
  expect(files.some((file) => file.equals(original))).toBe(true);
  expect(files.some((file) => file.equals(paid.video))).toBe(true);
});
