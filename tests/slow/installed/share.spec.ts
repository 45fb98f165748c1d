import { expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { PASSWORD } from '#tests/e2e/newcomer.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { readDatabase } from './database.ts';
import { test, waitForWorker } from './installed.ts';

interface SharedFile {
  name: string;
  type: string;
  bytes: Buffer;
}

const UPLOADED = 'Изображение загружено';

/** Sends what a phone's share sheet sends: a form that opens a page. */
async function share(page: Page, files: SharedFile[]): Promise<void> {
  const given = files.map(({ name, type, bytes }) => ({ name, type, text: bytes.toString('base64') }));
  await Promise.all([
    page.waitForURL(/\?share=|\/dashboard\/create-video|\/auth/),
    page.evaluate((list) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'POST', enctype: 'multipart/form-data', action: '/share-target' });
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'photo', multiple: true });
      const transfer = new DataTransfer();
      for (const { name, type, text } of list) {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        transfer.items.add(new File([bytes], name, { type }));
      }
      input.files = transfer.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    }, given),
  ]);
}

async function drawPhoto(name: string): Promise<SharedFile> {
  return { name, type: 'image/jpeg', bytes: await drawProductPhoto('garment', { width: 600, height: 800 }) };
}

test('a shared photo ends in create-video, its name intact', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await share(page, [await drawPhoto('Платье №1.jpg')]);
  await expect(page.getByText(UPLOADED)).toBeVisible();
  await expect(page.getByText('Платье №1.jpg')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
});

test('of several photos the first is taken, and the rest wait until each is taken or put away', async ({
  page,
  context,
}) => {
  const { accountId } = await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  const names = ['первое.jpg', 'второе.jpg', 'третье.jpg', 'четвёртое.jpg'];
  await share(page, await Promise.all(names.map(drawPhoto)));
  await expect(page.getByText('первое.jpg')).toBeVisible();
  // What the upload says comes before it.
  await expect(page.getByText('Взято первое фото')).toBeVisible();
  const waiting = page.getByRole('region', { name: /Ещё/ });
  const toTake = waiting.getByRole('button', { name: /Взять фото/ });
  await expect(toTake).toHaveCount(3);
  await expect(waiting.getByRole('heading')).toHaveText('Ещё\u00a03\u00a0фото ждут');
  // With a small picture each.
  await expect(waiting.locator('img')).toHaveCount(3);

  await page.reload();
  await expect(waiting.locator('img')).toHaveCount(3);
  await context.setOffline(true);
  await page.goto('/dashboard/photoshoot');
  await expect(toTake).toHaveCount(3);
  await page.goto('/dashboard/create-video');
  await waiting.getByRole('button', { name: 'Убрать фото второе.jpg' }).press('Enter');
  await expect(toTake).toHaveCount(2);
  // The focus stays in the row.
  await expect(waiting.getByRole('button', { name: 'Убрать фото третье.jpg' })).toBeFocused();
  await waiting.getByRole('button', { name: 'Взять фото третье.jpg' }).press('Enter');
  await expect(page.getByText('Отправится, когда появится связь')).toBeVisible();
  await expect(toTake).toHaveCount(1);
  await context.setOffline(false);
  await expect(page.getByText(UPLOADED)).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText('третье.jpg')).toBeVisible();

  // Before those that wait already.
  await share(page, [await drawPhoto('новое.jpg'), await drawPhoto('другое.jpg')]);
  await expect(page.getByText('новое.jpg')).toBeVisible();
  await expect(toTake).toHaveCount(2);
  await expect(toTake.first()).toHaveAccessibleName('Взять фото другое.jpg');
  await expect(toTake.last()).toHaveAccessibleName('Взять фото четвёртое.jpg');
  const findFiles = async () =>
    (await readDatabase(page)).map(([key]) => key).filter((key) => /received\w+\//.test(key));
  // The new first goes once it has become the photo.
  await expect.poll(findFiles).toHaveLength(2);
  const stored = new Map(await readDatabase(page)).get('podium/1/device/receivedFile');
  expect(stored).toMatchObject({ photos: [{ owner: accountId }, { owner: accountId }] });
  await page.goto('/app');
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(/\/auth/);
  await expect.poll(findFiles).toEqual([]);
  expect(JSON.stringify(await readDatabase(page))).not.toContain('.jpg');
});

test('where no photo was among what is shared, that is said', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await share(page, [{ name: 'заметка.txt', type: 'text/plain', bytes: Buffer.from('Платье') }]);
  await expect(page.getByText('Фото не найдено')).toBeVisible();
  await expect(page).toHaveURL(/\/app$/);
});

test('a document that is shared is refused in words, a photo too large can be made smaller', async ({ page }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await share(page, [{ name: 'счёт.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4') }]);
  await expect(page.getByText('Пожалуйста, выберите изображение').first()).toBeVisible();
  await page.goto('/app');
  const noise = Buffer.alloc(2600 * 2600 * 3);
  for (let index = 0; index < noise.length; index += 1) noise[index] = (index * 7919 + (index >> 7) * 104729) & 255;
  const bytes = await sharp(noise, { raw: { width: 2600, height: 2600, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(bytes.length).toBeGreaterThan(12e6);
  await share(page, [{ name: 'большое.png', type: 'image/png', bytes }]);
  await expect(page.getByText('Размер файла не должен превышать 10MB').first()).toBeVisible();
  await page.getByRole('button', { name: 'Уменьшить и загрузить' }).click();
  await expect(page.getByText(UPLOADED)).toBeVisible({ timeout: 40_000 });
  await expect(page.getByText('большое.jpg')).toBeVisible();
});

test('shared offline and signed out, a photo waits for the sign-in and ends in create-video', async ({
  page,
  context,
}) => {
  const { email } = await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(/\/auth/);
  await context.setOffline(true);
  await share(page, [await drawPhoto('из галереи.jpg')]);
  await expect(page).toHaveURL(/\/auth\?next=/);
  await context.setOffline(false);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Пароль', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Войти', exact: true }).last().click();
  await expect(page).toHaveURL(/\/dashboard\/create-video/);
  await expect(page.getByText('из галереи.jpg')).toBeVisible();
  await expect(page.getByRole('button', { name: /Создать видео/ })).toBeEnabled();
});

test('without a worker the server says that the photo has to be shared once more', async ({ page }) => {
  await signInAsNew(page);
  const answer = await page.request.post('/share-target', {
    multipart: { photo: { name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('x') } },
    headers: { origin: 'null' },
    maxRedirects: 0,
  });
  expect(answer.status()).toBe(303);
  expect(answer.headers().location).toBe('/app?share=retry');
  await page.goto('/app?share=retry');
  await expect(page.getByText('Фото не дошло')).toBeVisible();
});
