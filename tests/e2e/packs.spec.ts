import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import type { Batch, BatchRow } from '#shared/contract/batches.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readZip } from '#tests/support/read-zip.ts';
import { signInAsNew } from './fixture.ts';
import { saveFile } from './newcomer.ts';

const origin = (page: Page) => new URL(page.url()).origin;

async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(path, { data, headers: { origin: origin(page) } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

/** A batch of changed backgrounds that are done. Its articles are ART-1, ART-2 and so on. */
async function createDone(page: Page, count: number): Promise<string> {
  const settings = { modelId: null, backgroundId: 'studio_white', agreedChange: 'background_change' };
  const set = { kind: 'model_change', settings };
  const { id } = await post<Batch>(page, '/api/batches', { id: randomUUID(), set });
  const rows: { id: string; name: string; photoId: string }[] = [];
  for (let number = 1; number <= count; number++) {
    const buffer = await drawProductPhoto('garment', { width: 1200, height: 1600 + number });
    const name = `ART-${number}.jpg`;
    const uploaded = await page.request.post('/api/upload', {
      multipart: { image: { name, mimeType: 'image/jpeg', buffer } },
      headers: { origin: origin(page) },
    });
    rows.push({ id: randomUUID(), name, photoId: (await uploaded.json()).id });
  }
  const { batch } = await post<{ batch: Batch }>(page, `/api/batches/${id}/rows`, { rows });
  await post(page, `/api/batches/${id}/start`, { agreedStars: batch.prices.ready.stars });
  const read = async (): Promise<{ batch: Batch; rows: BatchRow[] }> =>
    (await page.request.get(`/api/batches/${id}`)).json();
  await expect.poll(async () => (await read()).batch.counts.done, { timeout: 60_000 }).toBe(count);
  return id;
}

test('what was taken of a batch becomes a pack for a marketplace', async ({ page }) => {
  await signInAsNew(page, { stars: 20, isPaid: true, pace: 'rendered' });
  const id = await createDone(page, 3);
  await page.goto(`/dashboard/batches?batch=${id}&review=1`);
  await page.getByRole('button', { name: /Взять все без замечаний/ }).click();
  await page.getByRole('button', { name: 'Собрать пакеты' }).click();

  const dialog = page.getByRole('dialog', { name: 'Пакеты для маркетплейсов' });
  await expect(dialog.getByText('Wildberries — 3 файла')).toBeVisible();
  await expect(dialog.getByText('ART-1/ART-1_1.jpg').first()).toBeVisible();
  await dialog.getByRole('checkbox', { name: 'Ozon' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'Яндекс Маркет' }).uncheck();
  await dialog.getByLabel('Шаблон названий').fill('фото');
  await dialog.getByRole('button', { name: 'Вставить {№}' }).click();
  await expect(dialog.getByText('ART-1/фото1.jpg').first()).toBeVisible();
  await dialog.getByRole('button', { name: 'Собрать пакет' }).click();

  await expect(dialog.getByText('Готово: 1 из 1')).toBeVisible();
  const { name, content } = await saveFile(page, () =>
    dialog.getByRole('button', { name: 'Скачать: Wildberries' }).click(),
  );
  expect(name).toMatch(/^Wildberries_.+\.zip$/);
  expect([...(await readZip(content)).keys()].sort()).toEqual([
    'ART-1/фото1.jpg',
    'ART-2/фото1.jpg',
    'ART-3/фото1.jpg',
    'readme.txt',
    'results.csv',
  ]);

  // The button gives way to the one that orders, which its press must not press.
  await dialog.getByRole('button', { name: 'Собрать новые' }).click();
  await expect(dialog.getByLabel('Шаблон названий')).toBeVisible();
  expect((await (await page.request.get('/api/packs')).json()).packs).toHaveLength(1);

  // «Back» closes the dialog, and opens neither it nor the review again.
  await page.goBack();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Пакеты', exact: true })).toBeVisible();
});
