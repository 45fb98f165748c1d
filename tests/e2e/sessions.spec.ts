import { expect, test } from 'playwright/test';
import { SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';
import { signInAsNew } from './scene.ts';

test('who comes back after the browser has dropped what the page stored is still signed in', { tag: '@once' }, async ({
  page,
}) => {
  const { accountId } = await signInAsNew(page);
  const readMarker = () => page.evaluate(() => JSON.parse(localStorage.getItem('podium.session') ?? 'null'));
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.evaluate(() => localStorage.clear());
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('/api/auth/user', async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('navigation', { name: 'Инструменты' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Загрузка' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/gallery$/);
  answer();
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();
  expect(await readMarker()).toMatchObject({ userId: accountId });
  expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);

  await page.evaluate(() => localStorage.clear());
  await page.goto('/cases');
  await expect(page.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/');
  await expect(page).toHaveURL(/\/app$/);
  // Where not even the readable cookie is left, a page that needs an account asks all the same.
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies({ name: SIGNED_IN_COOKIE });
  await page.goto('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Настройки' })).toBeVisible();
});

test('a sign-out that the server does not hear of holds on the device and is repeated', { tag: '@once' }, async ({
  page,
}) => {
  await signInAsNew(page);
  const isSessionAlive = async () => (await page.request.get('/api/auth/user')).ok();
  await page.goto('/app');
  await page.route('/api/logout', (route) => route.abort());
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page.getByText('Ошибка при выходе')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Сервер ещё не подтвердил выход')).toBeVisible();
  expect(await isSessionAlive()).toBe(true);
  await page.goto('/app');
  await expect(page.getByRole('heading', { name: 'Вход в систему' })).toBeVisible();
  // Whatever the browser drops of what the page had stored.
  await page.evaluate(() => localStorage.clear());
  await page.goto('/app');
  await expect(page.getByRole('heading', { name: 'Вход в систему' })).toBeVisible();
  await page.goto('/cases');
  await expect(page.getByRole('link', { name: 'Войти' })).toBeVisible();
  await expect(page.getByText('Сервер ещё не подтвердил выход')).toBeVisible();
  await page.unroute('/api/logout');
  await page.goto('/cases');
  await expect(page.getByText('Выход завершён')).toBeVisible();
  expect(await isSessionAlive()).toBe(false);
});
