import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

/** Gives the open tool a photo with this name, and makes the video. */
async function makeVideo(page: Page, name: string): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
  await page.getByRole('button', { name: /^Создать видео/ }).click();
  await expect(page.getByRole('button', { name: 'Следующее фото' })).toBeVisible();
}

/** Opens the sheet of what can be done with a result of the gallery. */
async function openSheet(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: `Действия: ${title}`, exact: true }).click();
}

test('a result is found by its article, lends its settings to another photo, gets a name, is shared, thrown away and brought back', async ({
  page,
}, { project }) => {
  const complaints = collectComplaints(page);
  await page.addInitScript(() => {
    navigator.canShare = () => true;
    navigator.share = async ({ files = [] }: ShareData) => {
      document.title = `Отправлено: ${files.map(({ name }) => name).join()}`;
    };
  });
  await signInAsNew(page, { stars: 5, isPaid: true });
  const heading = (title: string) => page.getByRole('heading', { name: title, exact: true });
  const find = async (words: string) => {
    await page.goto('/dashboard/gallery');
    if (project.name === 'phone') await page.getByRole('button', { name: 'Поиск', exact: true }).click();
    await page.getByRole('textbox', { name: 'Поиск по галерее' }).fill(words);
  };

  await test.step('the file name suggests the article, and the video is called after it', async () => {
    await page.goto('/dashboard/create-video');
    await page.getByRole('radio', { name: '9:16' }).click();
    await makeVideo(page, 'ART-101_1.jpg');
    await expect(page.getByText('ART-101, Видео 1')).toBeVisible();
  });

  await test.step('another photo gets the same settings', async () => {
    await find('art-101');
    await openSheet(page, 'ART-101, Видео 1');
    await page.getByRole('link', { name: 'Сделать так же' }).click();
    await expect(page.getByText(/^Настройки результата/)).toBeVisible();
    await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
    await makeVideo(page, 'ART-102.jpg');
  });

  await test.step('it is renamed and shared under its name', async () => {
    await find('art-102 видео');
    await expect(heading('ART-102, Видео 1')).toBeVisible();
    await expect(heading('ART-101, Видео 1')).toBeHidden();
    await openSheet(page, 'ART-102, Видео 1');
    await page.getByRole('button', { name: 'Переименовать' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('Главное видео');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await expect(heading('Главное видео')).toBeVisible();
    await openSheet(page, 'Главное видео');
    const share = page.getByRole('button', { name: 'Поделиться' });
    await share.click();
    await expect(share).toBeEnabled();
    await share.click();
    await expect(page).toHaveTitle('Отправлено: Главное_видео.mp4');
  });

  await test.step('it goes to the bin and comes back', async () => {
    await page.getByRole('button', { name: 'Удалить: Главное видео' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
    await expect(heading('Главное видео')).toBeHidden();
    await page.goto('/dashboard/gallery/deleted');
    await page.getByRole('button', { name: 'Восстановить: Главное видео' }).click();
    await find('главное');
    await expect(heading('Главное видео')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
