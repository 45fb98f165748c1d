import { expect, type Page } from 'playwright/test';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { choosePhoto } from './choose-photo.ts';
import { test, waitForWorker } from './installed.ts';

const WAITING = 'Отправится, когда появится связь';
const AGREE = /Запустить, когда появится связь/;
const AGREED = 'Запустим, когда появится связь';
const CREATE_VIDEO = '/dashboard/create-video';

async function readBalance(page: Page): Promise<number> {
  return (await (await page.request.get('/api/stars/balance')).json()).balance;
}

async function countActive(page: Page): Promise<number> {
  return (await (await page.request.get('/api/active-generations')).json()).activeGenerations.length;
}

/** Inside the page: bytes of a photo do not come out of it whole. */
function changeAgreedPrice(page: Page, price: number): Promise<void> {
  return page.evaluate(
    (price) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('values', 'readwrite');
          transaction.objectStore('values').openCursor().onsuccess = ({ target }) => {
            const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
            if (!cursor) return;
            const { key, value } = cursor;
            if (String(key).endsWith('/queuedUpload.video')) {
              cursor.update({ ...value, start: { ...value.start, price } });
            }
            cursor.continue();
          };
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    price,
  );
}

/** The files of batches whose bytes are on the device. */
function countStoredFiles(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const values = opening.result.transaction('values').objectStore('values').getAll();
          values.onsuccess = () => {
            const files = (values.result as { files?: { isStored?: boolean }[] }[]).flatMap(
              (value) => value?.files ?? [],
            );
            opening.result.close();
            resolve(files.filter(({ isStored }) => isStored).length);
          };
        };
      }),
  );
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
  await choosePhoto(page, 'пальто.jpg');
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(other.getByText(WAITING)).toBeVisible();
  // The page may be closed meanwhile.
  await page.reload();
  await expect(page.getByText(WAITING)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Изображение загружено')).toBeVisible();
  await expect(page.getByText(WAITING)).toBeHidden();
  // A page that opens sends what still waits.
  for (const tab of [page, other]) {
    await tab.reload();
    await expect(tab.getByText('пальто.jpg')).toBeVisible();
  }
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

test('with a price agreed to offline the video starts when the network is back', async ({ page, context }) => {
  await signInAsNew(page, { stars: 2, pace: 'held' });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  await expect(page.getByText(WAITING)).toBeVisible();
  const agree = page.getByRole('button', { name: AGREE });
  await expect(agree).toContainText('1');
  await agree.click();
  await expect(page.getByText(AGREED)).toBeVisible();
  await expect(page.getByText(/спишем\s1\sзвезду/)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible({
    timeout: 30_000,
  });
  expect(await readBalance(page)).toBe(1);
});

test('a page opened without a network shows what another device has started, once there is one', async ({ page }) => {
  await signInAsNew(page, { stars: 2, pace: 'held' });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await page.route(/\/(api|healthz)/, (route) => route.abort());
  await page.goto(CREATE_VIDEO);
  await expect(page.getByText('Нет сети')).toBeVisible();
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  const multipart = { image: { name: 'a.jpg', mimeType: 'image/jpeg', buffer } };
  const { id: imageId } = await (await page.request.post('/api/upload', { multipart })).json();
  await page.request.post('/api/generate', { data: { imageId } });
  await page.unroute(/\/(api|healthz)/);
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible();
});

test('for another price than the one agreed to nothing is started', async ({ page, context }) => {
  await signInAsNew(page, { stars: 2, pace: 'held' });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  await page.getByRole('button', { name: AGREE }).click();
  await expect(page.getByText(AGREED)).toBeVisible();
  await changeAgreedPrice(page, 3);
  await context.setOffline(false);
  await expect(page.getByText(/Цена изменилась/)).toBeVisible();
  await expect(page.getByText('пальто.jpg')).toBeVisible();
  expect(await countActive(page)).toBe(0);
  expect(await readBalance(page)).toBe(2);
});

test('a photo session agreed to offline starts when the network is back, whatever page is open', async ({
  page,
  context,
}) => {
  await signInAsNew(page, { stars: 3, pace: 'held' });
  await page.goto('/dashboard/photoshoot');
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  await expect(page.getByText(WAITING)).toBeVisible();
  await page.getByRole('button', { name: AGREE }).click();
  await expect(page.getByText(/спишем\s2\sзвезды/)).toBeVisible();
  await page.goto('/dashboard/gallery');
  await context.setOffline(false);
  await expect.poll(() => countActive(page).catch(() => 0), { timeout: 30_000 }).toBe(1);
  expect(await readBalance(page)).toBe(1);
  await page.goto('/dashboard/photoshoot');
  await expect(page.getByRole('progressbar', { name: 'Ход фотосессии' })).toBeVisible();
  await expect(page.getByText(AGREED)).toBeHidden();
});

test('a change of model agreed to offline starts as it was chosen, and a new choice takes the consent back', async ({
  page,
  context,
}) => {
  await signInAsNew(page, { stars: 2, pace: 'held' });
  await page.goto('/dashboard/change-model');
  await waitForWorker(page);
  await choosePhoto(page, 'пальто.jpg');
  await expect(page.getByText('пальто.jpg')).toBeVisible();
  const goOn = () => page.getByRole('button', { name: 'Далее' }).locator('visible=true').click();
  const choose = (group: string, index: number) =>
    page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio').nth(index).click();
  await goOn();
  await choose('Фон', 2);
  await context.setOffline(true);
  await expect(page.getByText('Нет сети. Показаны сохранённые данные.')).toBeVisible();
  const agree = page.getByRole('button', { name: AGREE }).locator('visible=true');
  await agree.click();
  await expect(page.getByText(AGREED).locator('visible=true')).toBeVisible();

  await choose('Фон', 1);
  await agree.click();
  await expect(page.getByText(/спишем\s1\sзвезду/).locator('visible=true')).toBeVisible();
  const started = page.waitForRequest((request) => request.url().endsWith('/api/change-model'));
  await context.setOffline(false);
  const request = await started;
  expect(request.headers()['idempotency-key']).toBeTruthy();
  // What was agreed to, and nothing that is not done with it.
  expect(request.postData()).toContain('background_change');
  expect(request.postData()).not.toContain('modelImageUrl');
  await expect(page.getByRole('button', { name: 'Отменить', exact: true })).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => readBalance(page)).toBe(1);
});

test('a photo of a change of model that is replaced offline is not started with the one before', async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await page.goto('/dashboard/change-model');
  await waitForWorker(page);
  await choosePhoto(page, 'пальто.jpg');
  // Its name is shown while it is sent, too.
  await expect(page.getByRole('button', { name: 'Заменить' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('Нет сети. Показаны сохранённые данные.')).toBeVisible();
  await choosePhoto(page, 'платье.jpg');
  await expect(page.locator('.drop', { hasText: 'платье.jpg' }).getByText(WAITING)).toBeVisible();
  await expect(page.getByText('Сначала загрузите фото').locator('visible=true')).toBeVisible();
  await page.reload();
  await expect(page.getByText(WAITING)).toBeVisible();
  await expect(page.getByText('Сначала загрузите фото').locator('visible=true')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('платье.jpg')).toBeVisible();
  await expect(page.getByText(WAITING)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Далее' }).locator('visible=true')).toBeVisible();
});

test('a consent taken back spends nothing', async ({ page, context }) => {
  await signInAsNew(page, { stars: 2, pace: 'held' });
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  await page.getByRole('button', { name: AGREE }).click();
  await page.getByRole('button', { name: 'Отменить' }).click();
  await context.setOffline(false);
  await expect(page.getByText(WAITING)).toBeHidden();
  await page.reload();
  await expect(page.getByText('пальто.jpg')).toBeVisible();
  expect(await countActive(page)).toBe(0);
  expect(await readBalance(page)).toBe(2);
});

/** Has the browser wake the worker for what waits under this tag, and gives the answer to the call that follows. */
async function wakeWorker(page: Page, { origin, tag, call }: { origin: string; tag: string; call: RegExp }) {
  const context = page.context();
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own) resolve(own.registrationId);
    });
  });
  const sent = context.waitForEvent('response', {
    predicate: (response) => call.test(response.url()),
    timeout: 20_000,
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await cdp.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag, lastChance: false });
  const answer = await sent;
  expect(answer.status()).toBe(200);
  expect(answer.fromServiceWorker() || answer.request().serviceWorker() !== null).toBe(true);
}

test('woken by the browser, the worker sends what waits though no page is open', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['background-sync', 'notifications']);
  await signInAsNew(page);
  await page.goto(CREATE_VIDEO);
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  await expect(page.getByText(WAITING)).toBeVisible();
  await page.goto('about:blank');
  await context.setOffline(false);
  await wakeWorker(page, { origin: baseURL ?? '', tag: 'podium-uploads', call: /\/api\/upload$/ });
});

test('woken by the browser, the worker sends the files of a batch though no page is open', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['background-sync', 'notifications']);
  await signInAsNew(page);
  await page.goto('/dashboard/batches');
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Новая партия' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Видео/ })).toBeVisible();
  const id = new URL(page.url()).searchParams.get('batch');
  await context.setOffline(true);
  const files = [1, 2, 3].map(async (index) => ({
    name: `ART-${index}.jpg`,
    mimeType: 'image/jpeg',
    buffer: await drawProductPhoto('garment', { width: 600 + index, height: 800 }),
  }));
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await Promise.all(files));
  await expect(page.getByText('Ждут сети: 3 файла')).toBeVisible();
  // Before that the tab alone has them, and asks whether it may be left.
  await expect.poll(() => countStoredFiles(page)).toBe(3);
  await page.goto('about:blank');
  await context.setOffline(false);
  await wakeWorker(page, { origin: baseURL ?? '', tag: 'podium-batch-uploads', call: /\/rows\/[^/]+\/photo$/ });
  const countReady = async () => (await (await page.request.get(`/api/batches/${id}`)).json()).batch.counts.ready;
  await expect.poll(countReady).toBe(3);
});
