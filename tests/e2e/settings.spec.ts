import { expect, test } from 'playwright/test';
import { PASSWORD, SAME_AT_EVERY_SIZE } from './newcomer.ts';
import { signInAsNew } from './scene.ts';

test('name and password are changed, and other sessions are ended', async ({ page, playwright, baseURL, isMobile }) => {
  test.skip(isMobile, SAME_AT_EVERY_SIZE);
  const { email } = await signInAsNew(page);
  const signInElsewhere = async (userAgent: string, password: string) => {
    const other = await playwright.request.newContext({ baseURL, userAgent });
    const response = await other.post('/api/login', { data: { email, password } });
    expect(response.status()).toBe(200);
    return async () => (await other.get('/api/auth/user')).status();
  };

  const tablet = await signInElsewhere('Mozilla/5.0 (iPad) Version/19.0 Safari/604.1', PASSWORD);
  const laptop = await signInElsewhere('Mozilla/5.0 (Windows NT 10.0) Firefox/145.0', PASSWORD);
  await page.goto('/settings');
  await page.getByLabel('Имя пользователя').fill('Анна');
  await page.getByRole('button', { name: 'Сохранить имя' }).click();
  await expect(page.getByText('Имя изменено')).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Анна');

  await expect(page.getByText('Этот браузер')).toBeVisible();
  await page.getByRole('button', { name: 'Завершить сеанс: Safari, iPad' }).click();
  await expect(page.getByText('Сеанс завершён')).toBeVisible();
  await expect(page.getByText('Safari, iPad')).toBeHidden();
  expect([await tablet(), await laptop()]).toEqual([401, 200]);
  await page.getByRole('button', { name: 'Завершить остальные сеансы' }).click();
  await expect(page.getByText('Firefox, Windows')).toBeHidden();
  expect(await laptop()).toBe(401);

  const phone = await signInElsewhere('Mozilla/5.0 (iPhone) Version/19.0 Safari/604.1', PASSWORD);
  await page.getByLabel('Текущий пароль').fill('не тот пароль');
  await page.getByLabel('Новый пароль').fill('новый-пароль');
  await page.getByRole('button', { name: 'Изменить пароль' }).click();
  await expect(page.getByText('Неверный текущий пароль')).toBeVisible();
  await page.getByLabel('Текущий пароль').fill(PASSWORD);
  await page.getByRole('button', { name: 'Изменить пароль' }).click();
  await expect(page.getByText('Пароль изменён')).toBeVisible();
  expect(await phone()).toBe(401);
  await page.reload();
  await expect(page.getByLabel('Имя пользователя')).toHaveValue('Анна');
  await signInElsewhere('', 'новый-пароль');
});
