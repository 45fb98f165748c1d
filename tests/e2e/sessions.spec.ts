import { expect, test } from 'playwright/test';
import { SIGNED_IN_COOKIE } from '#shared/rules/session.ts';
import { signInAsNew } from './fixture.ts';

test('the server’s cookies keep somebody signed in whose browser has dropped what the page stored, until they sign out', {
  tag: '@once',
}, async ({ page, context }) => {
  const { accountId } = await signInAsNew(page);
  const readMarker = () => page.evaluate(() => JSON.parse(localStorage.getItem('podium.session') ?? 'null'));
  const isSessionAlive = async () => (await page.request.get('/api/auth/user')).ok();
  await page.evaluate(() => localStorage.clear());
  await page.goto('/');
  await expect(page).toHaveURL(/\/app$/);
  await expect.poll(readMarker).toMatchObject({ userId: accountId });
  // Where not even the readable cookie is left, a page that needs an account asks all the same.
  await page.evaluate(() => localStorage.clear());
  await context.clearCookies({ name: SIGNED_IN_COOKIE });
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { level: 1, name: 'Галерея' })).toBeVisible();

  expect(await isSessionAlive()).toBe(true);
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page.getByText('Выход из системы')).toBeVisible();
  expect(await isSessionAlive()).toBe(false);
  expect(await context.cookies()).toEqual([]);
});
