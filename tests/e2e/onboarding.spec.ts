import { expect, test } from 'playwright/test';
import { addImages, signInAsNew, timeOut } from './scene.ts';

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

test('the sample sent away stays away', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await page.getByRole('button', { name: 'Скрыть предложение' }).press('Enter');
  await expect(page.getByRole('link', OFFER)).toBeHidden();
  await page.reload();
  await expect(page.getByText('Здесь появятся ваши видео')).toBeVisible();
  await expect(page.getByRole('link', OFFER)).toBeHidden();
});

test('who has made something, or has no stars, is offered no sample', { tag: '@once' }, async ({ page }) => {
  const experienced = await signInAsNew(page);
  await addImages(experienced, { kind: 'model_change', title: 'Платье' });
  await page.goto('/app');
  await expect(page.getByRole('link', { name: 'Платье' })).toBeVisible();
  await expect(page.getByRole('link', OFFER)).toBeHidden();
  await signInAsNew(page, { stars: 0 });
  await page.goto('/app');
  await expect(page.getByText('Здесь появятся ваши видео')).toBeVisible();
  await expect(page.getByRole('link', OFFER)).toBeHidden();
});
