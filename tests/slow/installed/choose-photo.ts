import type { Page } from 'playwright/test';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';

/** Chooses a photo of this name on the page of a tool. */
export async function choosePhoto(page: Page, name: string, jpeg?: Buffer): Promise<void> {
  const buffer = jpeg ?? (await drawProductPhoto('garment', { width: 600, height: 800 }));
  await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'image/jpeg', buffer });
}
