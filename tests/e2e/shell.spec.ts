import { expect, test } from 'playwright/test';
import { addImages, signInAsNew } from './fixture.ts';
import { collectComplaints, PASSWORD } from './newcomer.ts';

test('the header has all its links on public pages and on phones, in words', { tag: '@once' }, async ({ page }) => {
  const header = page.getByRole('banner');
  for (const path of ['/', '/auth', '/cases', '/contacts']) {
    await page.goto(path);
    for (const width of [1440, 390, 340, 320]) {
      await page.setViewportSize({ width, height: 844 });
      for (const name of ['Кейсы', 'Помощь', 'Войти']) {
        await expect(header.getByRole('link', { name, exact: true })).toHaveText(name);
      }
      await expect(header.getByRole('link', { name: 'Войти' })).toHaveAttribute('href', '/auth');
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      // In one row.
      expect((await header.boundingBox())?.height, `${path} at ${width} px`).toBeLessThan(width < 768 ? 60 : 80);
    }
  }
});

test('a visitor sees the start page without an error and without asking who they are', { tag: '@once' }, async ({
  page,
}) => {
  const complaints = collectComplaints(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked).not.toContain('/api/auth/user');
  await expect(page.getByRole('link', { name: 'Помощь' }).first()).toHaveAttribute('href', '/help');
  expect(complaints).toEqual([]);
});

test('the whole sign-in works by keyboard alone', { tag: '@once' }, async ({ page }) => {
  const { email } = await signInAsNew(page);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/auth');
  await page.getByLabel('Email').focus();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/app$/);
});

test('nothing is wider than the window at any width where the layout changes', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Платье с очень длинным названием без переносов', count: 2 });
  for (const path of [
    '/app',
    '/dashboard/create-video',
    '/dashboard/change-model',
    '/dashboard/photoshoot',
    '/dashboard/batches',
    '/dashboard/products',
    '/dashboard/gallery',
    '/dashboard/try-on',
    '/auth/reset',
    '/no-such-page',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    if (path === '/dashboard/gallery') await expect(page.getByRole('article').first()).toBeVisible();
    for (const width of [320, 767, 768, 1023, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      // The gallery learns its new width, and so its columns, only after the browser has laid it out.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${path} at ${width} px`)
        .toBeLessThanOrEqual(width);
    }
  }
});

test('of a phone that lies on its side nothing is under the notch', { tag: '@once' }, async ({ page, context }) => {
  const NOTCH = 47;
  const WIDTH = 844;
  await page.setViewportSize({ width: WIDTH, height: 390 });
  const devtools = await context.newCDPSession(page);
  const insets = { top: 0, bottom: 21, left: NOTCH, right: NOTCH };
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await signInAsNew(page);
  for (const path of ['/', '/cases', '/app', '/dashboard/create-video', '/dashboard/change-model']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Отклонить' })).toBeVisible();
    const below = await page.evaluate(
      ({ notch, width }) =>
        [...document.querySelectorAll('a, button, input, h1, h2, p')]
          .filter((element) => element.checkVisibility() && !element.matches('.skip, .sr-only'))
          .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent?.trim().slice(0, 40) }))
          .filter(({ box }) => box.width > 1 && (box.left < notch || box.right > width - notch))
          .map(({ box, text }) => `${text}: ${Math.round(box.left)} to ${Math.round(box.right)}`),
      { notch: NOTCH, width: WIDTH },
    );
    expect(below, path).toEqual([]);
  }
});
