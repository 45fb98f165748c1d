import { expect, test } from 'playwright/test';
import { SIGNED_IN_COOKIE } from '#shared/rules/signed-in-cookie.ts';
import { PASSWORD } from './newcomer.ts';
import { signInAsNew } from './scene.ts';

test('a protected page sends a visitor to sign in and back to where they were going', { tag: '@once' }, async ({
  page,
}) => {
  const { email } = await signInAsNew(page);
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/dashboard/create-video');
  await expect(page).toHaveURL(/\/auth/);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/create-video$/);
});

test('a session that ended is said once and leads to signing in, with the way back', { tag: '@once' }, async ({
  page,
}) => {
  const { email } = await signInAsNew(page);
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByText('Сессия завершена').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Вход в систему' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?next=%2Fdashboard%2Fgallery$/);
  // The guard has led there first; what follows until all is closed must not take the way back away.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('podium.session'))).toBeNull();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/gallery$/);
});

test('a mark of the sign-in that cannot be read is made anew by asking who is there', { tag: '@once' }, async ({
  page,
}) => {
  const { accountId } = await signInAsNew(page);
  const spoil = () => page.evaluate(() => localStorage.setItem('podium.session', '{"userId":'));
  await spoil();
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('podium.session') ?? 'null'))).toMatchObject({
    userId: accountId,
  });
  await page.context().clearCookies();
  await spoil();
  await page.goto('/dashboard/gallery');
  await expect(page).toHaveURL(/\/auth\?next=/);
  expect(await page.evaluate(() => localStorage.getItem('podium.session'))).toBeNull();
});

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

test('a visitor of a protected page is asked for once, and is told of no session', { tag: '@once' }, async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/app');
  await expect(page.getByRole('heading', { name: 'Вход в систему' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth\?next=%2Fapp$/);
  // A session that counts as ended is asked about once more and closed by a call before anything is said of it; both would
  // have been sent by the time that another page is there.
  await page.getByRole('banner').getByRole('link', { name: 'Кейсы' }).click();
  await expect(page).toHaveURL(/\/cases$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(asked.filter((path) => path === '/api/auth/user')).toHaveLength(1);
  expect(asked).not.toContain('/api/session-error');
  await expect(page.getByText('Сессия завершена')).toBeHidden();
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

test('a server that never says who is there is asked again by a press, and not waited for where the name is known', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page);
  await page.addInitScript(() => {
    const limit = AbortSignal.timeout.bind(AbortSignal);
    // The test does not wait as long as the page where there is nothing to wait for.
    const page = globalThis as { isPatient?: true };
    AbortSignal.timeout = (ms) => limit(ms === 10_000 && !page.isPatient ? 300 : ms);
  });
  await page.route('/api/auth/user', () => undefined);
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1, name: 'Не удалось открыть аккаунт' })).toBeVisible();
  await page.unroute('/api/auth/user');
  await page.evaluate(() => Object.assign(globalThis, { isPatient: true }));
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();
});
