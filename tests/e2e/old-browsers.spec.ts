import { expect, test } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { creditPayment } from './fixture.ts';
import { collectComplaints, registerThroughPage } from './newcomer.ts';

/**
 * What iOS 16.4, Chrome 109 and Firefox 115 do not have, as far as programs use it: `[place, name]`, without the
 * prototype for a static function.
 */
const MISSING = [
  ['Promise', 'withResolvers'],
  ['Promise', 'try'],
  ['URL', 'parse'],
  ['URL', 'canParse'],
  ['AbortSignal', 'any'],
  ['Array', 'fromAsync'],
  ['Object', 'groupBy'],
  ['Map', 'groupBy'],
  ['RegExp', 'escape'],
  ['Response', 'json'],
  ...['toSorted', 'toReversed', 'toSpliced', 'with'].map((name) => ['Array.prototype', name]),
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom', 'union', 'intersection', 'difference'].map((name) => [
    'Set.prototype',
    name,
  ]),
  ...['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find'].map(
    (name) => ['Iterator.prototype', name],
  ),
  ['String.prototype', 'isWellFormed'],
  ['Element.prototype', 'checkVisibility'],
  ['Element.prototype', 'setHTMLUnsafe'],
  ['Element.prototype', 'moveBefore'],
  ['HTMLElement.prototype', 'showPopover'],
  ['HTMLElement.prototype', 'hidePopover'],
  ['HTMLElement.prototype', 'togglePopover'],
  ['Document.prototype', 'startViewTransition'],
  ['Navigator.prototype', 'setAppBadge'],
  ['Navigator.prototype', 'clearAppBadge'],
  ['Navigator.prototype', 'userActivation'],
  ['Navigator.prototype', 'connection'],
  ['Window', 'navigation'],
  ['globalThis', 'navigation'],
  ['globalThis', 'Iterator'],
  ['globalThis', 'scheduler'],
  ['globalThis', 'requestIdleCallback'],
  ['globalThis', 'launchQueue'],
];

test('a newcomer in the oldest supported browsers registers, uploads a photo, makes a result and downloads it', {
  tag: '@once',
}, async ({ page }) => {
  await page.addInitScript((missing) => {
    for (const [place = '', name = ''] of missing) {
      const owner = place
        .split('.')
        .reduce<unknown>((found, part) => (found as Record<string, unknown> | undefined)?.[part], globalThis);
      if (owner) delete (owner as Record<string, unknown>)[name];
    }
  }, MISSING);
  const complaints = collectComplaints(page);
  const { email } = await registerThroughPage(page);
  expect(await page.evaluate(() => 'withResolvers' in Promise || 'parse' in URL || 'any' in AbortSignal)).toBe(false);

  await page.goto('/dashboard/photoshoot');
  const photo = await drawProductPhoto('garment', { width: 900, height: 1200 });
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'платье.jpg', mimeType: 'image/jpeg', buffer: photo });
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await page.getByRole('button', { name: 'Создать фотосессию (2 звезды)' }).click();
  const { id: accountId } = await (await page.request.get('/api/auth/user')).json();
  await creditPayment({ accountId, email });
  const [frame] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать: Кадр 1' }).click(),
  ]);
  expect(frame.suggestedFilename()).toMatch(/\.jpg$/);
  expect(complaints).toEqual([]);
});

test('a browser that is too old shows one sentence that says so, on every page', { tag: '@once' }, async ({ page }) => {
  await page.addInitScript(() => delete (globalThis as Partial<typeof globalThis>).CompressionStream);
  for (const path of ['/', '/auth', '/app', '/cases']) {
    await page.goto(path);
    await expect(page.getByText(/браузер слишком старый/)).toBeVisible();
  }
});
