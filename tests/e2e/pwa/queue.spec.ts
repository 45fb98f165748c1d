import { expect, type Page } from 'playwright/test';
import { signInAsNew } from '#tests/e2e/scene.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { test, waitForWorker } from './installed.ts';

const WAITING = 'Отправится, когда появится связь';
const CREATE_VIDEO = '/dashboard/create-video';

async function choosePhoto(page: Page): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  const file = { name: 'пальто.jpg', mimeType: 'image/jpeg', buffer };
  await page.locator('input[type=file]').first().setInputFiles(file);
}

async function readBalance(page: Page): Promise<number> {
  return (await (await page.request.get('/api/stars/balance')).json()).balance;
}

async function countActive(page: Page): Promise<number> {
  return (await (await page.request.get('/api/active-generations')).json()).activeGenerations.length;
}

/** Photos that the server has made of uploads, by who asked. */
function countUploads(pages: Page[]): () => number {
  let uploads = 0;
  for (const page of pages) {
    page.context().on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/upload')) uploads += 1;
    });
  }
  return () => uploads;
}

test('a photo chosen offline is sent once when the network is back, with two tabs open, and spends nothing', async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  const other = await context.newPage();
  await other.goto(CREATE_VIDEO);
  const balance = await readBalance(page);
  const uploads = countUploads([page]);
  await context.setOffline(true);
  await choosePhoto(page);
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(other.getByText(WAITING)).toBeVisible();
  // The page may be closed meanwhile.
  await page.reload();
  await expect(page.getByText(WAITING)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('пальто.jpg')).toBeVisible();
  await expect(page.getByText(WAITING)).toBeHidden();
  await page.waitForTimeout(3000);
  expect(uploads()).toBe(1);
  expect(await countActive(page)).toBe(0);
  expect(await readBalance(page)).toBe(balance);
});

test('the same key makes one photo, whatever the line does', async ({ page }) => {
  await signInAsNew(page);
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  const send = () =>
    page.request.post('/api/upload', {
      multipart: { image: { name: 'a.jpg', mimeType: 'image/jpeg', buffer } },
      headers: { 'idempotency-key': 'one-and-the-same' },
    });
  const answers = await Promise.all([send(), send()]);
  answers.push(await send());
  const ids = new Set(await Promise.all(answers.map(async (answer) => (await answer.json()).id)));
  expect(ids.size).toBe(1);
});

test('with a price agreed to offline the video starts when the network is back, and only for that price', async ({
  page,
  context,
}) => {
  await signInAsNew(page, { stars: 2 });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page);
  await expect(page.getByText(WAITING)).toBeVisible();
  const agree = page.getByRole('button', { name: /Запустить, когда появится связь/ });
  await expect(agree).toContainText('1');
  await agree.click();
  await expect(page.getByText('Запустим, когда появится связь')).toBeVisible();
  await expect(page.getByText(/спишем\s1\sзвезду/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible({
    timeout: 30_000,
  });
  expect(await readBalance(page)).toBe(1);
});

test('a consent taken back spends nothing', async ({ page, context }) => {
  await signInAsNew(page, { stars: 2 });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page);
  await page.getByRole('button', { name: /Запустить, когда появится связь/ }).click();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await context.setOffline(false);
  await expect(page.getByText(WAITING)).toBeHidden();
  await page.waitForTimeout(3000);
  expect(await readBalance(page)).toBe(2);
});

test('woken by the browser, the worker sends what waits though no page is open', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['background-sync', 'notifications']);
  await signInAsNew(page);
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page);
  await expect(page.getByText(WAITING)).toBeVisible();
  await page.goto('about:blank');
  await context.setOffline(false);
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${baseURL}/`);
      if (own) resolve(own.registrationId);
    });
  });
  const sent = context.waitForEvent('response', {
    predicate: (response) => response.url().endsWith('/api/upload'),
    timeout: 20_000,
  });
  await cdp.send('ServiceWorker.enable');
  await cdp.send('ServiceWorker.dispatchSyncEvent', {
    origin: baseURL ?? '',
    registrationId: await registered,
    tag: 'podium-uploads',
    lastChance: false,
  });
  expect((await sent).status()).toBe(200);
  expect((await sent).fromServiceWorker() || (await sent).request().serviceWorker() !== null).toBe(true);
});
