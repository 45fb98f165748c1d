import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';

/** Files as a person drops them. Each has other pixels. */
async function drawFiles(names: readonly string[]) {
  const files = [];
  for (const [index, name] of names.entries()) {
    const buffer = await drawProductPhoto('garment', { width: 600 + index * 2, height: 800 });
    files.push({ name, mimeType: 'image/jpeg', buffer });
  }
  return files;
}

async function startBatch(page: Page): Promise<void> {
  await page.goto('/dashboard/batches');
  await page.getByRole('button', { name: 'Новая партия' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Видео/ })).toBeVisible();
}

const fileInput = (page: Page) => page.locator('input[type=file]').first();

test('a batch: photos with a broken file and a duplicate, a pilot, the rest, and the page closed meanwhile', async ({
  page,
}) => {
  await signInAsNew(page, { stars: 20, isPaid: true });
  await startBatch(page);
  const photos = await drawFiles(['ART-101.jpg', 'ART-102.jpg', 'ART-103.jpg', 'ART-104.jpg']);
  const broken = { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('nonsense') };
  await fileInput(page).setInputFiles([
    ...photos,
    ...photos.slice(0, 1).map((photo) => ({ ...photo, name: 'copy.jpg' })),
    broken,
  ]);
  const rows = page.getByRole('region', { name: 'Строки' }).getByRole('listitem');
  await expect(rows).toHaveCount(6);
  await expect(page.getByText('4 к запуску, 1 повтор, 1 не принято: всего 6 фото')).toBeVisible();
  await expect(page.getByRole('button', { name: /Артикул ART-102/ })).toBeVisible();

  await test.step('all are made with another tool', async () => {
    await page.getByRole('button', { name: 'Изменить', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Настройки для всех' });
    await dialog.getByRole('radio', { name: 'Смена фона' }).click();
    await dialog.getByRole('radiogroup', { name: 'Фон', exact: true }).getByRole('radio').first().click();
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await expect(page.getByText(/^Смена фона: /)).toBeVisible();
  });

  await test.step('one row is made with another background', async () => {
    await page.getByRole('button', { name: 'Действия: ART-102.jpg' }).click();
    await page.getByRole('menuitem', { name: 'Свои настройки' }).click();
    const dialog = page.getByRole('dialog', { name: 'Настройки: ART-102.jpg' });
    await dialog.getByRole('radiogroup', { name: 'Фон', exact: true }).getByRole('radio').nth(1).click();
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await expect(rows.filter({ hasText: 'ART-102.jpg' })).toContainText('Свои настройки: Смена фона');
  });

  await page.getByRole('button', { name: 'Убрать', exact: true }).click();
  await expect(rows).toHaveCount(5);
  await page.getByRole('button', { name: /Сначала 3 штуки/ }).click();
  await expect(page.getByText('3 готово, 1 к запуску, 1 не принято: всего 5 фото')).toBeVisible();

  await page.getByRole('button', { name: /Запустить остальные/ }).click();
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await expect(page.getByText('4 готово, 1 не принято: всего 5 фото')).toBeVisible();
  await page.getByRole('button', { name: 'Просмотр: осталось 4' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('a');
  await expect(page.getByText('Осталось 3', { exact: true })).toBeVisible();
});
