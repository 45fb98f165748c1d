import { expect, type Page, test } from 'playwright/test';
import { signInAsNew, startPhotosession, timeOut } from './fixture.ts';

const marked = (page: Page) =>
  page.getByRole('link', { name: 'Галерея', exact: true, description: /новый\sрезультат/ });

test('a result that ends elsewhere is told on the open pages, and seen in one tab it is news in none', async ({
  page,
  context,
}) => {
  const owner = await signInAsNew(page);
  await startPhotosession(owner);
  const otherTab = await context.newPage();
  for (const tab of [page, otherTab]) {
    await tab.goto('/stars');
    await expect(tab.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await timeOut(owner);
  for (const tab of [page, otherTab]) {
    await expect(tab).toHaveTitle(/^\(1\) Готово · /);
    // Of the sidebar and the tab bar one is shown.
    await expect(marked(tab)).toBeVisible();
  }
  const toast = page.getByRole('status').filter({ hasText: 'Фотосессия готова' });
  // While somebody points at it, it stays.
  await toast.hover();
  await toast.getByRole('button', { name: 'Открыть' }).click();
  await expect(page).toHaveURL(/\/dashboard\/photoshoot$/);
  for (const tab of [page, otherTab]) {
    await expect(marked(tab)).toHaveCount(0);
    await expect(tab).not.toHaveTitle(/Готово/);
  }
});
