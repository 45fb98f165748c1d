import { expect, type Page, test } from 'playwright/test';
import { makeDoneBatch, readBatch } from './batch-fixture.ts';
import { signInAsNew } from './fixture.ts';

const PAGE = '/dashboard/batches';
const SIZE = { width: 600, height: 800 };

const takenOf = async (page: Page, id: string) => (await readBatch(page, id)).rows.map(({ isTaken }) => isTaken);

const openReview = (page: Page, id: string) => page.goto(`${PAGE}?batch=${id}&review=1`);
const heading = (page: Page) => page.getByRole('heading', { name: /^Просмотр/ });

test('results are reviewed by the keyboard alone, and a redone one comes back', { tag: '@once' }, async ({ page }) => {
  await signInAsNew(page, { stars: 30, isPaid: true });
  const id = await makeDoneBatch(page, { set: { kind: 'photosession', settings: {} }, count: 4, ...SIZE });
  await openReview(page, id);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Осталось 4', { exact: true })).toBeVisible();
  await expect(heading(page)).toContainText('ART-1');
  await page.keyboard.press('a');
  await expect(heading(page)).toContainText('ART-2');
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  await page.keyboard.press('z');
  await expect(heading(page)).toContainText('ART-3');
  await expect(dialog.getByText('Осталось 2', { exact: true })).toBeVisible();
  await expect.poll(() => takenOf(page, id)).toEqual([true, false, null, null]);

  await page.keyboard.down('b');
  await expect(dialog.getByText('Было', { exact: true }).first()).toBeVisible();
  await page.keyboard.up('b');
  await page.keyboard.press('ArrowDown');
  await expect(dialog.getByRole('group', { name: 'Кадры' }).locator('[aria-pressed=true]')).toHaveAccessibleName(/2$/);

  await page.keyboard.press('r');
  await expect(heading(page)).toContainText('ART-4');
  await page.keyboard.press('a');
  await expect(heading(page)).toContainText('ART-3');
  await page.keyboard.press('a');
  await expect(dialog.getByRole('heading', { name: 'Всё просмотрено' })).toBeVisible();
  await expect(dialog.getByText('Взято: 3')).toBeVisible();
  await expect.poll(() => takenOf(page, id)).toEqual([true, false, true, true]);
  expect((await readBatch(page, id)).rows.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 1]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('results are reviewed by touch, and without a network decisions wait @phone', async ({ page, context }) => {
  await signInAsNew(page, { stars: 30, isPaid: true });
  const id = await makeDoneBatch(page, { set: { kind: 'video', settings: { duration: 5 } }, count: 3, ...SIZE });
  await openReview(page, id);
  const dialog = page.getByRole('dialog');
  await expect(heading(page)).toContainText('ART-1');
  await swipe(page, 150);
  await expect(heading(page)).toContainText('ART-2');
  await context.setOffline(true);
  await swipe(page, -150);
  await expect(heading(page)).toContainText('ART-3');
  await expect(dialog.getByText(/решения сохранятся/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Отменить' }).click();
  await expect(dialog.getByText('Осталось 2', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: 'Не брать' }).click();
  await dialog.getByRole('button', { name: /Взять все без замечаний/ }).click();
  await expect(dialog.getByRole('heading', { name: 'Всё просмотрено' })).toBeVisible();
  await context.setOffline(false);
  await expect.poll(() => takenOf(page, id), { timeout: 30_000 }).toEqual([true, false, true]);
  await dialog.getByRole('button', { name: 'К партии' }).click();
  await expect(dialog).toBeHidden();
});

/** Moves a finger over the shown result by so many pixels to the side. */
async function swipe(page: Page, dx: number): Promise<void> {
  const box = await page.locator('.viewer-area').boundingBox();
  if (!box) throw new Error('no result is shown');
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: number) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [{ x: at, y }] });
  await touch('touchStart', x);
  for (const share of [0.3, 0.6, 1]) await touch('touchMove', x + dx * share);
  await touch('touchEnd');
  await session.detach();
}
