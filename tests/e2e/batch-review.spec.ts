import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { signInAsNew } from './fixture.ts';

const PAGE = '/dashboard/batches';
const origin = (page: Page) => new URL(page.url()).origin;

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(path, { data, headers: { origin: origin(page) } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

const read = async (page: Page, id: string): Promise<{ batch: Batch; rows: BatchRow[] }> =>
  (await page.request.get(`/api/batches/${id}`)).json();

const takenOf = async (page: Page, id: string) => (await read(page, id)).rows.map(({ isTaken }) => isTaken);

/** A batch of the tool with so many results. Its articles are ART-1, ART-2 and so on. */
async function createDone(page: Page, kind: 'video' | 'photosession', count: number): Promise<string> {
  const set = { kind, settings: kind === 'video' ? { duration: 5 } : {} };
  const { id } = await post<Batch>(page, '/api/batches', { id: randomUUID(), set });
  const rows: { id: string; name: string; photoId: string }[] = [];
  for (let number = 1; number <= count; number++) {
    const buffer = await drawProductPhoto('garment', { width: 600, height: 800 + number });
    const name = `ART-${number}.jpg`;
    const uploaded = await page.request.post('/api/upload', {
      multipart: { image: { name, mimeType: 'image/jpeg', buffer } },
      headers: { origin: origin(page) },
    });
    rows.push({ id: randomUUID(), name, photoId: (await uploaded.json()).id });
  }
  const { batch } = await post<{ batch: Batch }>(page, `/api/batches/${id}/rows`, { rows });
  await post(page, `/api/batches/${id}/start`, { agreedStars: batch.prices.ready.stars });
  await expect.poll(async () => (await read(page, id)).batch.counts.done, { timeout: 60_000 }).toBe(count);
  return id;
}

const openReview = (page: Page, id: string) => page.goto(`${PAGE}?batch=${id}&review=1`);
const heading = (page: Page) => page.getByRole('heading', { name: /^Просмотр/ });

test('results are reviewed by the keyboard alone, and a redone one comes back', async ({ page }) => {
  await signInAsNew(page, { stars: 30, isPaid: true });
  const id = await createDone(page, 'photosession', 4);
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
  expect((await read(page, id)).rows.map(({ attempts }) => attempts)).toEqual([1, 1, 2, 1]);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('results are reviewed by touch, and without a network decisions wait @phone', async ({ page, context }) => {
  await signInAsNew(page, { stars: 30, isPaid: true });
  const id = await createDone(page, 'video', 3);
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
