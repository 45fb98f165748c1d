import { expect, type Page, test } from 'playwright/test';
import { resultPath } from '#shared/rules/result-links.ts';
import { signInAsNew } from './fixture.ts';
import { loseOne, makeOne } from './lose-one.ts';
import { collectComplaints } from './newcomer.ts';

const RETURN = 'Вернуть звёзды';
const EXPLANATION = 'Файл этого результата потерян на сервере';
const SIZES = [
  { width: 320, height: 640 },
  { width: 1440, height: 900 },
];

const readBalance = async (page: Page) => (await (await page.request.get('/api/stars/balance')).json()).balance;

async function expectToFit(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

for (const [kind, returned] of [
  ['video', '1 звезда возвращена'],
  ['model_change', '1 звезда возвращена'],
  // Two of five frames for two stars.
  ['photosession', /возвращен/],
] as const) {
  test(`the page of a lost result (${kind}) returns its stars by keyboard, once, at every width and in the dark`, {
    tag: '@once',
  }, async ({ page }) => {
    await signInAsNew(page, { stars: 3 });
    const generationId = await loseOne(page, kind);
    const left = await readBalance(page);
    const complaints = collectComplaints(page);
    await page.goto(resultPath(kind, generationId));
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await expect(page.getByText(EXPLANATION)).toBeVisible();
        await expect(page.getByRole('button', { name: RETURN })).toBeVisible();
        await expectToFit(page);
      }
    }
    await page.getByRole('button', { name: RETURN }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main').getByText(returned)).toBeVisible();
    await expect(page.getByRole('button', { name: RETURN })).toHaveCount(0);
    const now = await readBalance(page);
    expect(now).toBeGreaterThan(left);
    await expect(page.locator('header .bal').first()).toContainText(String(now));
    await page.request.post(`/api/generations/${generationId}/return-lost-stars`);
    expect(await readBalance(page)).toBe(now);
    expect(complaints).toEqual([]);
  });
}

test('a lost picture of the gallery returns its stars at 320 px, and its card stays readable', {
  tag: '@once',
}, async ({ page }) => {
  await signInAsNew(page, { stars: 3 });
  await loseOne(page, 'model_change');
  const left = await readBalance(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('button', { name: /файл потерян$/ })).toBeDisabled();
  await expectToFit(page);
  await page.getByRole('button', { name: RETURN }).click();
  await expect(page.getByRole('article').getByText('1 звезда возвращена')).toBeVisible();
  expect(await readBalance(page)).toBe(left + 1);
});

test('a picture that cannot be loaded keeps its place in the gallery, the history and on the start page', {
  tag: '@once',
}, async ({ page, context }) => {
  await signInAsNew(page, { stars: 3 });
  await makeOne(page, 'video');
  await context.route(/\/media\//, (route) => route.fulfill({ status: 503, body: '' }));
  for (const path of ['/dashboard/gallery', '/dashboard/create-video', '/app']) {
    await page.goto(path);
    const silhouettes = page.locator('.sil-box');
    await expect(silhouettes.first()).toBeVisible();
    for (const box of await silhouettes.all()) {
      const { width = 0, height = 0 } = (await box.boundingBox()) ?? {};
      expect(height / width).toBeLessThan(1.4);
    }
  }
});
