import { expect, test } from 'playwright/test';
import { signInAsNew } from './fixture.ts';
import { expectLargeTextFits, readTextSize, setTextSize, signInWithMuch } from './text-size.ts';

test('with text twice as large, packages of stars and the menu are read whole, and the question about cookies keeps its button', {
  tag: '@once',
}, async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await setTextSize(await context.newCDPSession(page), 32);
  await signInAsNew(page);
  await page.goto('/app?openBuyStars=true');
  const packages = page.getByRole('dialog').getByRole('radio');
  await expect(packages.first()).toBeVisible();
  expect(await readTextSize(page)).toBe('32px');
  for (const one of await packages.all()) {
    await one.scrollIntoViewIfNeeded();
    const seen = await one.evaluate((card) => {
      const { left, top, bottom } = card.getBoundingClientRect();
      const ends = [top + 8, bottom - 8].map((y) => card.contains(document.elementFromPoint(left + 16, y)));
      const name = document.createRange();
      name.selectNodeContents(card.querySelector('.font-semibold') ?? card);
      return { ends, lines: name.getClientRects().length };
    });
    expect(seen).toEqual({ ends: [true, true], lines: 1 });
  }
  await page.goto('/app');
  const question = page.getByRole('region', { name: 'Файлы cookie' });
  await expect(question).toBeVisible();
  const [around, close] = await Promise.all([
    question.boundingBox(),
    question.getByRole('button', { name: 'Закрыть' }).boundingBox(),
  ]);
  expect(close?.y).toBeGreaterThanOrEqual(around?.y ?? Number.NaN);
  await page.getByRole('button', { name: 'Открыть меню' }).click();
  const menu = page.getByRole('dialog');
  await expect(menu.getByText('Виртуальная примерка')).toBeVisible();
  expect(await menu.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await page.goto('/dashboard/gallery');
  await page.getByRole('button', { name: 'Вид и выбор' }).click();
  const deleted = page.getByRole('link', { name: 'Недавно удалённые' });
  await expect(deleted).toBeVisible();
  expect((await deleted.boundingBox())?.x).toBeGreaterThanOrEqual(0);
});

// Every page: `npm run test:slow -- accessibility`.
test('with larger text in the browser nothing leaves the screen of a phone or a computer', {
  tag: '@once',
}, async ({ page }) => {
  await signInWithMuch(page);
  await expectLargeTextFits(page, ['/', '/app', '/dashboard/gallery', '/stars']);
});
