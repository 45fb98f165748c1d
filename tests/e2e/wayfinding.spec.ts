import { expect, type Locator, type Page, test } from 'playwright/test';
import { addImages, signInAsNew } from './scene.ts';

const PHOTO = 'pwa/assets/samples/dress-photo.jpg';
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

test('the settings are reached from the header, by the name or by the menu of a phone', async ({ page }, {
  project,
}) => {
  await signInAsNew(page);
  await page.goto('/cases');
  const header = page.getByRole('banner');
  if (project.name === 'phone') {
    await header.getByRole('button', { name: 'Меню пользователя' }).click();
    await page.getByRole('menuitem', { name: 'Настройки' }).click();
  } else {
    await header.getByRole('link', { name: /: Настройки$/ }).click();
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Настройки' })).toBeVisible();
});

test('from the public pages who is signed in comes back to the app, and only who is signed in', async ({ page }, {
  project,
}) => {
  await page.goto('/cases');
  await expect(page.getByRole('link', { name: 'Войти' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'В приложение' })).toHaveCount(0);
  await signInAsNew(page);
  for (const path of ['/cases', '/payment/fail', '/payment/success', '/contacts']) {
    await page.goto(path);
    if (project.name === 'phone') {
      await page.getByRole('button', { name: 'Меню пользователя' }).click();
      await page.getByRole('menuitem', { name: 'В приложение' }).click();
    } else {
      await page.getByRole('banner').getByRole('link', { name: 'В приложение' }).click();
    }
    await expect(page, path).toHaveURL(/\/app$/);
    await expect(page.getByRole('link', { name: 'В приложение' })).toHaveCount(0);
  }
});

test('the start page and the settings have the links of the footer, the tools do not', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page);
  for (const path of ['/app', '/settings']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('link', { name: 'Политика конфиденциальности' })).toBeVisible();
  }
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Политика конфиденциальности' })).toHaveCount(0);
});

test('a page that the browser opens by itself begins at its top, wherever the one before was left', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page);
  const place = () => page.evaluate(() => scrollY);
  await page.goto('/settings');
  await expect(page.getByRole('button', { name: 'Удалить аккаунт' })).toBeVisible();
  await page.evaluate(() => scrollTo(0, 200));
  await expect.poll(place).toBe(200);
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Политика конфиденциальности' })).toBeVisible();
  expect(await place()).toBe(0);
});

test('the choice about cookies is opened again by the footer and by the settings, and says what holds', {
  tag: '@once',
}, async ({ page }) => {
  await page.goto('/cases');
  await banner(page).getByRole('button', { name: 'Принять' }).click();
  const opener = page.getByRole('contentinfo').getByRole('button', { name: 'Настройки cookie' });
  const choice = page.getByRole('dialog', { name: 'Файлы cookie' });
  await opener.click();
  await expect(choice).toContainText('Сейчас cookie приняты.');
  await page.keyboard.press('Escape');
  await expect(choice).toBeHidden();
  await expect(opener).toBeFocused();

  await signInAsNew(page);
  await page.goto('/settings');
  const section = page.getByRole('main').locator('section').filter({ hasText: 'Статистика с номером аккаунта' });
  await section.getByRole('button', { name: 'Настройки cookie' }).click();
  await choice.getByRole('button', { name: 'Отклонить' }).click();
  await expect(choice).toBeHidden();
  await page.reload();
  await section.getByRole('button', { name: 'Настройки cookie' }).click();
  await expect(choice).toContainText('Сейчас cookie отклонены.');
  // It waits to be closed and leaves nothing in the way: what stood below can be pressed then.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Удалить аккаунт' }).click();
  await expect(page.getByRole('dialog')).toContainText('Удалить аккаунт');
});

test('the question about cookies covers no tool’s main action, at a usual height and at a low one', async ({
  page,
}) => {
  await signInAsNew(page, { stars: 5 });
  const { width } = page.viewportSize() ?? { width: 0 };
  for (const path of ['/dashboard/create-video', '/dashboard/change-model', '/dashboard/photoshoot']) {
    await page.goto(path);
    await page.locator('input[type=file]').first().setInputFiles(PHOTO);
    const action = page
      .getByRole('button', { name: /^(Создать видео|Далее|Создать фотосессию)/ })
      .filter({ visible: true });
    await expect(action).toBeEnabled();
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

test('a toast covers none of the viewer’s controls', async ({ page }) => {
  const owner = await signInAsNew(page, { isPaid: true });
  await addImages(owner, { kind: 'photosession', title: 'Кадр', count: 3 });
  await page.goto('/dashboard/gallery');
  await page.getByRole('button', { name: 'Удалить: Кадр 1', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Удалить' }).click();
  const toast = page.locator('.toast');
  // Somebody points at it, so that it stays however long the looking takes; the real pointer presses on.
  await toast.dispatchEvent('pointerover');
  await page.getByRole('button', { name: /^(Открыть|Увеличить): Кадр 2/ }).click();
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
      await expect.poll(() => overlaps(control, toast), `${await control.textContent()} at ${size.width}`).toBe(false);
    }
  }
});
