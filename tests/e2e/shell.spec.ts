import { expect, test } from 'playwright/test';
import { collectComplaints, PASSWORD, registerThroughPage } from './newcomer.ts';

test('a protected page sends a visitor to sign in and back to where they were going', async ({ page }) => {
  const { email } = await registerThroughPage(page);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/dashboard/create-video');
  await expect(page).toHaveURL(/\/auth/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/create-video$/);
});

test('a session that ended is said once and leads to signing in', async ({ page }) => {
  await registerThroughPage(page);
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByText('Сессия завершена').first()).toBeVisible();
  await expect(page).toHaveURL(/\/auth/);
});

test('a wrong password is answered in words', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('Email').fill('nobody@example.com');
  await page.getByLabel('Пароль', { exact: true }).fill('wrong-password');
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page.getByText('Ошибка входа')).toBeVisible();
  await expect(page.getByText('Неверный email или пароль').first()).toBeVisible();
});

test('an unknown path answers 404 with the page of the specification', async ({ page }) => {
  const response = await page.goto('/no/such/page');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('404 Page Not Found')).toBeVisible();
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
});

test('a visitor sees the start page without an error and without asking who they are', async ({ page }) => {
  const complaints = collectComplaints(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked).not.toContain('/api/auth/user');
  await expect(page.getByRole('link', { name: 'Помощь' }).first()).toHaveAttribute('href', '/help');
  expect(complaints).toEqual([]);
});

test('the whole sign-in works by keyboard alone', async ({ page }) => {
  const { email } = await registerThroughPage(page);
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

for (const width of [320, 767, 768, 1023, 1024]) {
  test(`nothing is wider than the window at ${width} px`, async ({ page }) => {
    await registerThroughPage(page);
    await page.setViewportSize({ width, height: 800 });
    for (const path of ['/app', '/dashboard/create-video', '/auth/reset', '/no-such-page']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
    }
  });
}
