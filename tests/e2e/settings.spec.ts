import { readFile } from 'node:fs/promises';
import { expect, test } from 'playwright/test';
import { readZip } from '#tests/support/read-zip.ts';
import { PASSWORD, readCodeMailedTo } from './newcomer.ts';
import { addImages, signInAsNew } from './scene.ts';

test('name and password are changed, and other sessions are ended', { tag: '@once' }, async ({
  page,
  playwright,
  baseURL,
}) => {
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

  await expect(page.getByText('Этот браузер', { exact: true })).toBeVisible();
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

test('everything that is kept about the person can be downloaded', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Платье' });
  await page.goto('/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать мои данные' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^podium-data-[\d-]+\.zip$/);
  const files = await readZip(await readFile(await download.path()));
  expect(files.get('account.json')?.toString()).toContain(owner.email);
  expect([...files.keys()].filter((name) => name.startsWith('results/'))).toHaveLength(1);
  await expect(page.getByText('Выгрузка началась')).toBeVisible();
});

test('the mail about results is switched on and stays so', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/settings');
  const mail = page.getByRole('checkbox', { name: 'Письмо, когда результат готов' });
  await expect(mail).not.toBeChecked();
  await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/api/account/notifications')),
    mail.press('Space'),
  ]);
  await expect(mail).toBeChecked();
  await page.reload();
  await expect(mail).toBeChecked();
});

test('where the browser runs no worker, the settings say so and what helps', { tag: '@once' }, async ({ page }) => {
  // A headless shell refuses notifications whatever is granted.
  await page.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'granted' }));
  await signInAsNew(page);
  await page.goto('/settings');
  await expect(page.getByText('Браузер не запустил фоновую часть сайта')).toBeVisible();
  await expect(page.getByText('Проверяем, умеет ли')).toBeHidden();
});

test('the account is asked to be deleted with the password, and taken back', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Удалить аккаунт' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Удалить аккаунт?' });
  await expect(dialog).toContainText('Неизрасходованные звёзды пропадут.');
  await dialog.getByLabel('Пароль', { exact: true }).fill('не тот');
  await dialog.getByRole('button', { name: 'Удалить аккаунт' }).click();
  await expect(dialog.getByText('Неверный текущий пароль')).toBeVisible();
  await dialog.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await dialog.getByLabel('Пароль', { exact: true }).press('Enter');
  await expect(dialog).toBeHidden();

  await page.goto('/app');
  const banner = page.getByRole('main').getByText(/^Аккаунт будет удалён \d{1,2}/);
  await expect(banner).toBeVisible();
  await page.getByRole('button', { name: 'Отменить удаление' }).click();
  await expect(page.getByText('Удаление отменено')).toBeVisible();
  await expect(banner).toBeHidden();
  await page.goto('/settings');
  await expect(page.getByRole('button', { name: 'Удалить аккаунт' })).toBeVisible();
});

test('the e-mail is changed by the password and a code from the new address', { tag: '@once' }, async ({ page }) => {
  const { email: former } = await signInAsNew(page);
  const email = `${crypto.randomUUID()}@example.com`;
  await page.goto('/settings');
  await expect(page.getByText(former)).toBeVisible();
  await page.getByLabel('Новый email').fill(email);
  await page.getByLabel('Ваш пароль').fill('не тот пароль');
  await page.getByRole('button', { name: 'Получить код' }).click();
  await expect(page.getByText('Неверный текущий пароль')).toBeVisible();
  await page.getByLabel('Ваш пароль').fill(PASSWORD);
  await page.getByRole('button', { name: 'Получить код' }).click();
  await page.getByLabel('Код из письма').fill(await readCodeMailedTo(email));
  await expect(page.getByText('Email изменён')).toBeVisible();
  await expect(page.getByText(former)).toBeHidden();
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByLabel('Новый email')).toHaveValue('');
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();
});
