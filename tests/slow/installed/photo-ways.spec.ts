import { devices, expect, type Page } from 'playwright/test';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { test } from './installed.ts';

const UPLOADED = 'Изображение загружено';

/** Gives the page a photo as a paste or a drop brings it. */
async function bring(page: Page, way: 'paste' | 'drop', name: string): Promise<void> {
  const photo = await drawProductPhoto('garment', { width: 600, height: 800 });
  const zone = page.getByRole('button', { name: /Перетащите фото/ });
  await expect(zone).toBeEnabled();
  await zone.evaluate(
    (element, { text, way, name }) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name, { type: 'image/jpeg' }));
      const given = { bubbles: true, cancelable: true };
      if (way === 'paste') {
        document.body.dispatchEvent(new ClipboardEvent('paste', { ...given, clipboardData: transfer }));
        return;
      }
      for (const type of ['dragenter', 'dragover', 'drop']) {
        element.dispatchEvent(new DragEvent(type, { ...given, dataTransfer: transfer }));
      }
    },
    { text: photo.toString('base64'), way, name },
  );
}

for (const way of ['paste', 'drop'] as const) {
  test(`a photo is taken by a ${way}`, async ({ page }) => {
    await signInAsNew(page);
    await page.goto('/dashboard/create-video');
    await bring(page, way, `${way}.jpg`);
    await expect(page.getByText(UPLOADED)).toBeVisible();
    await expect(page.getByText(`${way}.jpg`)).toBeVisible();
  });
}

test('a photo dropped beside the zone does not take the page away', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toBeVisible();
  const isRefused = await heading.evaluate((element) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['x'], 'мимо.jpg', { type: 'image/jpeg' }));
    const event = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: transfer });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  });
  expect(isRefused).toBe(true);
});

test('with a finger there is a button of the camera, which opens the back one', async ({ browser }) => {
  const page = await browser.newPage(devices['Pixel 7']);
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Снять фото' }).click();
  const chooser = await asked;
  expect(await chooser.element().getAttribute('capture')).toBe('environment');
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await chooser.setFiles({ name: 'с камеры.jpg', mimeType: 'image/jpeg', buffer });
  await expect(page.getByText(UPLOADED)).toBeVisible();
  await page.close();
});
