import { readFile } from 'node:fs/promises';
import { expect, test } from 'playwright/test';
import { readZip } from '#tests/support/read-zip.ts';
import { addImages, signInAsNew } from './fixture.ts';

test('everything that is kept about the person can be downloaded', { tag: '@once' }, async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Платье' });
  await page.goto('/settings#data');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать мои данные' }).click(),
    // Shown for five seconds, and the download may take longer.
    expect(page.getByText('Выгрузка началась')).toBeVisible(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^podium-data-[\d-]+\.zip$/);
  const files = await readZip(await readFile(await download.path()));
  expect(files.get('account.json')?.toString()).toContain(owner.email);
  expect([...files.keys()].filter((name) => name.startsWith('results/'))).toHaveLength(1);
});

test('a row of the settings opens by the keyboard, by a link and again after a reload', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/settings');
  const row = (id: string) => page.locator(`#${id} details`);
  await expect(row('password')).toBeVisible();
  await expect(page.locator('details[open]')).toHaveCount(0);
  await expect(page.getByLabel('Новый пароль')).toBeHidden();
  await row('name').locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Имя пользователя')).toBeVisible();
  await row('password').locator('summary').focus();
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Новый пароль')).toBeVisible();
  // The one before stays as it is.
  await expect(page.getByLabel('Имя пользователя')).toBeVisible();
  await expect(page).toHaveURL(/\/settings#password$/);
  await page.reload();
  await expect(page.getByLabel('Новый пароль')).toBeVisible();
  await row('password').locator('summary').press('Enter');
  await expect(page.getByLabel('Новый пароль')).toBeHidden();
  await expect(page).toHaveURL(/\/settings$/);

  await page.goto('/settings#deletion');
  await expect(page.getByRole('button', { name: 'Удалить аккаунт' })).toBeInViewport();
});
