import { expect, test } from 'playwright/test';
import { signInAsNew, timeOut } from './fixture.ts';

const OFFER = { name: 'Попробовать на примере' };

test('a newcomer makes the first video of our sample', { tag: '@phone' }, async ({ page }) => {
  const owner = await signInAsNew(page, { pace: 'held' });
  await page.goto('/app');
  await expect(page.getByRole('region', { name: 'Пример' })).toContainText(/Спишется.1.звезда.из.2.подаренных/);
  await page.getByRole('link', OFFER).click();
  await expect(page.getByText('Изображение загружено')).toBeVisible();
  await expect(page).toHaveURL(/\/create-video$/);

  await page.reload();
  // Kept as a draft, and not uploaded again.
  await expect(page.getByText('Образец.jpg')).toBeVisible();
  await expect(page.getByText('Изображение загружено')).toBeHidden();
  await page.getByRole('button', { name: /^Создать видео/ }).click();
  await expect(page.getByRole('button', { name: 'Отменить' })).toBeVisible();

  await page.goto('/app');
  await expect(page.getByRole('heading', { name: 'Видео создаётся' })).toBeVisible();
  await expect(page.getByRole('link', OFFER)).toBeHidden();
  await timeOut(owner);
});
