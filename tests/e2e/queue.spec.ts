import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { setPace, signInAsNew } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

/** Gives the open tool a photo with this name. */
async function choosePhoto(page: Page, name: string, subject: 'garment' | 'shoe'): Promise<void> {
  const buffer = await drawProductPhoto(subject, { width: 600, height: 800 });
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
}

const readStars = async (page: Page) =>
  (await (await page.request.get('/api/stars/balance')).json()) as { balance: number };

test('while a video is made the next photo is prepared and queued, and both come out', async ({ page }) => {
  const complaints = collectComplaints(page);
  const owner = await signInAsNew(page, { stars: 5, isPaid: false });
  await setPace(owner, 'held');
  await page.goto('/dashboard/create-video');
  const form = page.getByRole('region', { name: 'Фото и настройки' });
  await choosePhoto(page, 'ART-1.jpg', 'garment');
  await page.getByRole('button', { name: /^Создать видео/ }).click();

  await test.step('the settings stay, and the photo gives way to the next one', async () => {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Подготовить следующее' }).click();
    await chooser;
    await expect(page.getByRole('button', { name: 'Сначала загрузите фото' })).toBeDisabled();
    await choosePhoto(page, 'ART-2.jpg', 'shoe');
    await form.getByRole('radio', { name: 'Дефиле' }).click();
  });

  await test.step('it is queued at the price on the button, and the form is ready for another one', async () => {
    const queue = page.getByRole('button', { name: /^В очередь/ });
    await expect(queue).toContainText('1');
    await expect(form).toContainText(/Останутся 3\s*звезды/);
    await queue.click();
    await expect(page.getByRole('status').filter({ hasText: /В\sочереди:\s1\sфото/ })).toBeVisible();
    await expect(form.getByText('ART-2.jpg')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Отменить' })).toBeVisible();
  });

  await test.step('the result of the first is shown, and the second starts by itself', async () => {
    await setPace(owner, 'instant');
    await expect(page.getByRole('heading', { name: 'Видео готово!' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Открыть очередь' })).toBeHidden();
    await page.goto('/dashboard/gallery');
    for (const title of ['ART-1, Видео 1', 'ART-2, Видео 1']) {
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();
    }
    expect(await readStars(page)).toMatchObject({ balance: 3 });
  });
  expect(complaints).toEqual([]);
});
