import { expect, type Page, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';
import { collectComplaints } from './newcomer.ts';

/** For the photo, the video and its download. The browser's own chooser is none. */
const TOUCHES_MAX = 3;

/** Presses what opens the browser's file chooser, and chooses a product photo there. */
async function choosePhotoBy(page: Page, press: () => Promise<void>, name: string): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), press()]);
  await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(name)).toBeVisible();
}

test('product after product on a phone is a press for the photo and one for the video, with the settings of the first', {
  tag: '@phone',
}, async ({ page }) => {
  const complaints = collectComplaints(page);
  let touches = 0;
  await page.exposeFunction('noteTouch', () => {
    touches += 1;
  });
  await page.addInitScript(() => {
    // A press that the browser makes itself, such as that of a chooser's input, is none of the person.
    const note = (event: Event) => event.isTrusted && (globalThis as unknown as { noteTouch(): void }).noteTouch();
    addEventListener('click', note, { capture: true });
  });
  await signInAsNew(page, { stars: 20, isPaid: true });
  await page.goto('/dashboard/create-video');
  const zone = page.getByRole('button', { name: 'Вещь целиком, без инфографики' });
  const generate = page.getByRole('button', { name: /^Создать видео/ });
  const next = page.getByRole('button', { name: 'Следующее фото' });
  await choosePhotoBy(page, () => zone.tap(), 'куртка.jpg');
  await page.getByRole('radio', { name: 'Дефиле' }).tap();
  await page.getByRole('radio', { name: '9:16' }).tap();
  await generate.tap();
  await expect(next).toBeVisible();

  touches = 0;
  await choosePhotoBy(page, () => next.tap(), 'платье.jpg');
  await generate.tap();
  await expect(next).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Скачать', exact: true }).tap();
  await saved;
  expect(touches).toBeLessThanOrEqual(TOUCHES_MAX);

  // An older video lends its settings to another photo, on any visit.
  await page.reload();
  await page.getByRole('radio', { name: 'Поза' }).tap();
  await page.getByRole('region', { name: 'История видео' }).getByRole('button').last().tap();
  await page.getByRole('link', { name: 'Сделать так же' }).tap();
  await expect(page.getByText(/^Настройки результата/)).toBeVisible();
  await expect(zone).toBeFocused();
  await expect(page.getByRole('radio', { name: 'Дефиле' })).toBeChecked();
  await expect(page.getByRole('radio', { name: '9:16' })).toBeChecked();
  expect(complaints).toEqual([]);
});
