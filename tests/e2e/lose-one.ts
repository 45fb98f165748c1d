import { expect, type Page } from 'playwright/test';
import type { CatalogueBackground } from '#shared/contract/catalogue.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { loseResults } from './fixture.ts';

type Kind = 'video' | 'model_change' | 'photosession';

/** Makes a result of this kind as a person does, and loses its file. */
export async function loseOne(page: Page, kind: Kind): Promise<string> {
  const generationId = await makeOne(page, kind);
  // Of the five frames the last two.
  await loseResults(generationId, kind === 'photosession' ? 3 : 0);
  return generationId;
}

/** Makes a result of this kind as a person does. */
export async function makeOne(page: Page, kind: Kind): Promise<string> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  const image = { name: 'пальто.jpg', mimeType: 'image/jpeg', buffer };
  const { id: imageId } = await (await page.request.post('/api/upload', { multipart: { image } })).json();
  const generationId = await start(page, kind, imageId);
  await expect
    .poll(async () => (await (await page.request.get(`/api/generations/${generationId}`)).json()).status)
    .toBe('completed');
  return generationId;
}

async function start(page: Page, kind: Kind, imageId: string): Promise<string> {
  if (kind === 'video') {
    return (await (await page.request.post('/api/generate', { data: { imageId } })).json()).generationId;
  }
  if (kind === 'photosession') {
    return (await (await page.request.post('/api/photosession', { multipart: { imageId } })).json()).sessionId;
  }
  const { backgrounds } = await (await page.request.get('/api/catalogue')).json();
  const isFree = ({ type, isPremium }: CatalogueBackground) => type !== 'keep_original' && !isPremium;
  const multipart = { imageId, backgroundImageUrl: backgrounds.find(isFree).imageUrl };
  return (await (await page.request.post('/api/change-model', { multipart })).json()).request_id;
}
