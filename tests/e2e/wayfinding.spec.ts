import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from 'playwright/test';
import { addImages, signInAsNew } from './fixture.ts';

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

/** Whether a press on it, at any place, would meet a panel or a toast. */
const isCovered = (action: Locator, panels: string) =>
  action.evaluate((button, selector) => {
    const { left, width, top, height } = button.getBoundingClientRect();
    const shares = [0.05, 0.5, 0.95];
    return shares.some((x) =>
      shares.some((y) => document.elementFromPoint(left + x * width, top + y * height)?.closest(selector)),
    );
  }, panels);

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

test('the header has its links at all widths, the name from 768 px on, and stays in one row', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page, { stars: 128 });
  const header = page.getByRole('banner');
  for (const path of ['/app', '/cases']) {
    await page.goto(path);
    // A place holder of it is narrower.
    await expect(header.getByText('128').filter({ visible: true })).toHaveCount(1);
    for (const width of [320, 390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of ['Кейсы', 'Помощь']) {
        await expect(header.getByRole('link', { name, exact: true }).filter({ visible: true })).toHaveCount(1);
      }
      const shown = header.getByText('person', { exact: true }).filter({ visible: true });
      if (width >= 768) await expect(shown).toHaveCount(1);
      await expect.poll(async () => (await boxOf(header)).height, `${path} at ${width}`).toBeLessThanOrEqual(65);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    }
  }
});

test('a page that is loaded again keeps its place, and one that the browser opens begins at its top', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page);
  // Its rows are all closed and in one column, which is longer than the window.
  await page.setViewportSize({ width: 390, height: 500 });
  const place = () => page.evaluate(() => scrollY);
  await page.goto('/settings');
  await expect(page.getByText('Удаление аккаунта')).toBeVisible();
  await page.evaluate(() => scrollTo(0, 500));
  await expect.poll(place).toBe(500);
  await page.reload();
  await expect(page.getByText('Удаление аккаунта')).toBeVisible();
  await expect.poll(place).toBe(500);
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Политика конфиденциальности' })).toBeVisible();
  expect(await place()).toBe(0);
  await page.goto('/settings');
  await expect(page.getByText('Удаление аккаунта')).toBeVisible();
  expect(await place()).toBe(0);
  // From the history it is where it was left.
  await page.evaluate(() => scrollTo(0, 500));
  await expect.poll(place).toBe(500);
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Политика конфиденциальности' })).toBeVisible();
  await page.goBack();
  await expect.poll(place).toBe(500);
});

test('the address of the gallery keeps its tab, its filter and its order', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'photosession', title: 'Пальто', count: 1 });
  await page.goto('/dashboard/gallery');
  await page.getByRole('tab', { name: 'Изображения' }).click();
  await page.getByRole('radio', { name: 'Генерация фото' }).click();
  await page.getByRole('button', { name: 'Сначала новые' }).click();
  await expect(page).toHaveURL(/\?tab=images&type=photo_generation&sort=oldest$/);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Генерация фото' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Сначала старые' })).toBeVisible();
  await page.getByRole('tab', { name: 'Видео' }).click();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Видео' })).toHaveAttribute('aria-selected', 'true');
});

const SIZES = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1440, height: 900 },
];

test('on a phone neither the question about cookies covers the registration, nor a toast the header', {
  tag: '@phone',
}, async ({ page }) => {
  await page.goto('/auth?tab=register');
  await expect(banner(page)).toBeAttached();
  const register = page.getByRole('button', { name: 'Зарегистрироваться' });
  for (const top of [0, 10_000]) {
    await page.evaluate((y) => scrollTo(0, y), top);
    await register.scrollIntoViewIfNeeded();
    await expect.poll(() => isCovered(register, '.cookie'), `at ${top}`).toBe(false);
  }
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  await page.getByRole('main').locator('input[type=file]').first().setInputFiles(PHOTO);
  const toast = page.locator('.toast');
  await toast.dispatchEvent('pointerover');
  await expect.poll(() => overlaps(page.getByRole('banner'), toast)).toBe(false);
});

test('neither the question about cookies nor a toast covers a tool’s main action, and a long name of a photo makes nothing wide', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page, { stars: 5 });
  // Virtual try-on needs a generative engine.
  await page.route('**/api/tools', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, offered: [...answer.offered, 'try_on'] } });
  });
  await page.route('**/api/tools/offer', async (route) => {
    const { tools } = await (await route.fetch()).json();
    const offer = tools.map((tool: object) => ({ ...tool, isOffered: true, obstacle: null }));
    await route.fulfill({ json: { tools: offer } });
  });
  const buffer = await readFile(PHOTO);
  const file = { name: PHOTO_NAME, mimeType: 'image/jpeg', buffer };
  for (const path of ['create-video', 'change-model', 'photoshoot', 'try-on']) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/dashboard/${path}`);
    const uploads = page.getByRole('main').locator('input[type=file]:not([capture])');
    await uploads.first().setInputFiles(file);
    const card = page.getByRole('main').locator('section', { hasText: PHOTO_NAME }).first();
    await expect(card.getByText(PHOTO_NAME)).toBeVisible();
    // Its name is cut in its card.
    expect(await card.evaluate((section) => section.scrollWidth <= section.clientWidth), path).toBe(true);
    if (path === 'try-on') await uploads.last().setInputFiles(file);
    const action = page
      .getByRole('button', { name: /^(Создать видео|Далее|Создать фотосессию|Примерить)/ })
      .filter({ visible: true });
    await expect(action).toBeEnabled();
    await expect(banner(page)).toBeAttached();
    // Somebody points at it, so that it stays.
    await page.locator('.toast').dispatchEvent('pointerover');
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const top of [0, 200, 10_000]) {
        await page.evaluate((y) => scrollTo(0, y), top);
        const place = `${path}, ${size.width}×${size.height}, at ${top}`;
        await expect.poll(() => isCovered(action, '.cookie'), place).toBe(false);
      }
      await page.evaluate(() => scrollTo(0, 0));
      await action.scrollIntoViewIfNeeded();
      await expect.poll(() => isCovered(action, '.cookie,.toast'), `${path}, ${size.width}, a toast`).toBe(false);
    }
  }
});

test('at 1440×900 no setting of a video hides under the button that starts it', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  const settings = page.getByRole('region', { name: 'Фото и настройки' });
  const action = settings.locator('.start-action');
  const hidden = async () => {
    const boxes = await Promise.all((await settings.getByRole('radio').all()).map((radio) => overlaps(radio, action)));
    return boxes.filter(Boolean).length;
  };
  await expect(settings.getByRole('radio').first()).toBeVisible();
  expect(await hidden()).toBe(0);
  const photo = { name: 'платье.jpg', mimeType: 'image/jpeg', buffer: await readFile(PHOTO) };
  await settings.locator('input[type=file]').first().setInputFiles(photo);
  await expect(settings.getByRole('button', { name: /^Создать видео/ })).toBeEnabled();
  await page.evaluate(() => scrollTo(0, 0));
  expect(await hidden()).toBe(0);
  // Nor is the button below the window.
  await expect(settings.getByRole('button', { name: /^Создать видео/ })).toBeInViewport({ ratio: 0.9 });
});

test('the viewer’s controls are in the window however long the title is, and a toast covers none', async ({ page }) => {
  const owner = await signInAsNew(page, { isPaid: true });
  await addImages(owner, { kind: 'model_change', title: LONG_WORD, count: 3 });
  await page.goto('/dashboard/gallery');
  await page.getByRole('button', { name: `Действия: ${LONG_WORD} 1`, exact: true }).click();
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
