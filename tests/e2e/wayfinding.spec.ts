import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from 'playwright/test';
import { addImages, signInAsNew } from './scene.ts';

const PHOTO = 'pwa/assets/samples/dress-photo.jpg';
/** As messengers name it. */
const PHOTO_NAME = 'WhatsApp Image 2026-11-21 at 15.30.45 (1) новое красное платье в цветах.jpeg';
/** A title without a place to break. */
const LONG_WORD = 'П'.repeat(120);
const banner = (page: Page) => page.getByRole('region', { name: 'Файлы cookie' });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('not laid out');
  return box;
}

async function overlaps(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await boxOf(one), await boxOf(other)];
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Whether a press on it, at any height, would meet the question about cookies. */
const isUnderBanner = (action: Locator) =>
  action.evaluate((button) => {
    const { left, width, top, height } = button.getBoundingClientRect();
    return [0.05, 0.5, 0.95].some((share) =>
      document.elementFromPoint(left + width / 2, top + share * height)?.closest('[aria-label="Файлы cookie"]'),
    );
  });

test('the app and the settings are reached from the header of a public page, by name or by the menu of a phone', async ({
  page,
}, { project }) => {
  await signInAsNew(page);
  await page.goto('/cases');
  const header = page.getByRole('banner');
  if (project.name === 'phone') {
    const choose = async (name: string) => {
      await header.getByRole('button', { name: 'Меню пользователя' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('В приложение');
    await expect(page).toHaveURL(/\/app$/);
    await choose('Настройки');
  } else {
    await header.getByRole('link', { name: 'В приложение' }).click();
    await expect(page).toHaveURL(/\/app$/);
    await header.getByRole('link', { name: /: Настройки$/ }).click();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Настройки' })).toBeVisible();
});

test('a page that is loaded again keeps its place, and one that the browser opens begins at its top', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page);
  const place = () => page.evaluate(() => scrollY);
  await page.goto('/settings');
  await expect(page.getByRole('button', { name: 'Удалить аккаунт' })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 500));
  await expect.poll(place).toBe(500);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Удалить аккаунт' })).toBeVisible();
  await expect.poll(place).toBe(500);
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Политика конфиденциальности' })).toBeVisible();
  expect(await place()).toBe(0);
});

test('the question about cookies covers no tool’s main action, and a long name of a photo makes nothing wide', async ({
  page,
}) => {
  await signInAsNew(page, { stars: 5 });
  const { width } = page.viewportSize() ?? { width: 0 };
  const buffer = await readFile(PHOTO);
  for (const path of ['/dashboard/create-video', '/dashboard/change-model', '/dashboard/photoshoot']) {
    await page.goto(path);
    await page.locator('input[type=file]').first().setInputFiles({ name: PHOTO_NAME, mimeType: 'image/jpeg', buffer });
    const action = page
      .getByRole('button', { name: /^(Создать видео|Далее|Создать фотосессию)/ })
      .filter({ visible: true });
    await expect(action).toBeEnabled();
    // Its name is cut in its card.
    const card = page.getByRole('main').locator('section', { hasText: PHOTO_NAME }).first();
    await expect(card.getByText(PHOTO_NAME)).toBeVisible();
    expect(await card.evaluate((section) => section.scrollWidth <= section.clientWidth), path).toBe(true);
    await expect(banner(page)).toBeAttached();
    for (const height of [844, 640]) {
      await page.setViewportSize({ width, height });
      for (const top of [0, 200, 10_000]) {
        await page.evaluate((y) => scrollTo(0, y), top);
        await expect.poll(() => isUnderBanner(action), `${path}, ${height} px high, at ${top}`).toBe(false);
      }
    }
  }
});

test('the viewer’s controls are in the window however long the title is, and a toast covers none', async ({ page }) => {
  const owner = await signInAsNew(page, { isPaid: true });
  await addImages(owner, { kind: 'photosession', title: LONG_WORD, count: 3 });
  await page.goto('/dashboard/gallery');
  await page.getByRole('button', { name: `Удалить: ${LONG_WORD} 1`, exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
  const toast = page.locator('.toast');
  // Somebody points at it, so that it stays however long the looking takes; the real pointer presses on.
  await toast.dispatchEvent('pointerover');
  await page.getByRole('button', { name: new RegExp(`^(Открыть|Увеличить): ${LONG_WORD} 2`) }).click();
  const viewer = page.getByRole('dialog');
  await expect(viewer.getByRole('button', { name: 'Следующее' })).toBeVisible();
  const { width } = page.viewportSize() ?? { width: 0 };
  for (const size of [
    { width, height: 844 },
    { width: 844, height: 390 },
    { width: 768, height: 900 },
  ]) {
    await page.setViewportSize(size);
    for (const control of await viewer.getByRole('button').all()) {
      await expect(control).toBeInViewport({ ratio: 1 });
      await expect.poll(() => overlaps(control, toast), `${await control.textContent()} at ${size.width}`).toBe(false);
    }
  }
});
