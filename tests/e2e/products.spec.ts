import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';

/** Uploads a photo of this name on the page of the photo session. */
async function upload(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/photoshoot');
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
}

test('the article in a file name becomes a product with its results, whose photo goes on to a video', async ({ page }, {
  project,
}) => {
  await signInAsNew(page, { stars: 5 });
  await upload(page, 'ART-77_1.jpg');
  await page.getByRole('button', { name: /^Создать фотосессию/ }).click();
  await expect(page.getByText('Фотосессия готова!')).toBeVisible();

  if (project.name === 'phone') {
    await page.getByRole('navigation', { name: 'Разделы' }).getByRole('link', { name: 'Галерея' }).click();
    await page.getByRole('link', { name: 'Товары' }).click();
    await expect(page.getByRole('navigation', { name: 'Разделы' }).locator('[aria-current=page]')).toHaveText(
      'Галерея',
    );
  } else {
    await page.getByRole('navigation', { name: 'Инструменты' }).getByRole('link', { name: 'Товары' }).click();
  }
  await page.getByRole('textbox', { name: 'Поиск товаров' }).fill('art-77');
  await expect(page.getByText('найдено: 1')).toBeVisible();
  await page.getByRole('link', { name: /^ART-77/ }).click();
  await expect(page.getByText('1 фото · 5 результатов')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'ART-77, Фотосессия 1' })).toBeVisible();

  await page.getByRole('button', { name: 'Изменить' }).click();
  await page.getByRole('textbox', { name: 'Артикул' }).fill('ART-78');
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('heading', { name: 'ART-78, Фотосессия 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Сделать видео' }).click();
  await expect(page).toHaveURL(/create-video$/);
  await page.reload();
  await expect(page.getByText('ART-77_1.jpg')).toBeVisible();
});
