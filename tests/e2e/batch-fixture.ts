import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import type { Batch, BatchRow, BatchSet } from '#shared/contract/batches.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

/** Changes of batches, as a page sends them. */
async function post<T>(page: Page, path: string, data: object): Promise<T> {
  const answer = await page.request.post(path, { data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer.json();
}

export async function readBatch(page: Page, id: string): Promise<{ batch: Batch; rows: BatchRow[] }> {
  return (await page.request.get(`/api/batches/${id}`)).json();
}

export interface NewDoneBatch {
  set: { kind: BatchSet['kind']; settings: object };
  count: number;
  /** Of the photos, in pixels. Each is a little higher than the one before. */
  width: number;
  height: number;
}

/** Makes a batch with so many results. Its articles are ART-1, ART-2 and so on. Returns its id. */
export async function makeDoneBatch(page: Page, { set, count, width, height }: NewDoneBatch): Promise<string> {
  const { id } = await post<Batch>(page, '/api/batches', { id: randomUUID(), set });
  const rows: { id: string; name: string; photoId: string }[] = [];
  for (let number = 1; number <= count; number++) {
    const buffer = await drawProductPhoto('garment', { width, height: height + number });
    const name = `ART-${number}.jpg`;
    const image = { name, mimeType: 'image/jpeg', buffer };
    const uploaded = await page.request.post('/api/upload', { multipart: { image } });
    rows.push({ id: randomUUID(), name, photoId: (await uploaded.json()).id });
  }
  const { batch } = await post<{ batch: Batch }>(page, `/api/batches/${id}/rows`, { rows });
  await post(page, `/api/batches/${id}/start`, { agreedStars: batch.prices.ready.stars });
  await expect.poll(async () => (await readBatch(page, id)).batch.counts.done, { timeout: 60_000 }).toBe(count);
  return id;
}

/** Makes a batch with a row that is ready and one that was refused. Returns the address of its page. */
export async function makeBatch(page: Page, name = 'ART-1.jpg'): Promise<string> {
  const id = randomUUID();
  const set = { kind: 'photosession', settings: {} };
  await page.request.post('/api/batches', { data: { id, set } });
  const [ready, refused] = [randomUUID(), randomUUID()];
  const rows = [
    { id: ready, name },
    { id: refused, name: `${name}.txt`, refusal: 'photo_not_image' },
  ];
  await page.request.post(`/api/batches/${id}/rows`, { data: { rows } });
  const buffer = await drawProductPhoto('garment', { width: 900, height: 1200 });
  const image = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer };
  await page.request.post(`/api/batches/${id}/rows/${ready}/photo`, { multipart: { image } });
  return `/dashboard/batches?batch=${id}`;
}
