import { expect, type Page } from 'playwright/test';
import { addImages, signInAsNew } from '#tests/e2e/scene.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { test, waitForWorker } from './installed.ts';

const SNAPSHOT = 'podium.queries';

/** Everything in the app's own database: keys and, as far as they are text, values. */
function readDatabase(page: Page): Promise<[string, unknown][]> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const store = opening.result.transaction('values').objectStore('values');
          const keys = store.getAllKeys();
          const values = store.getAll();
          store.transaction.oncomplete = () => {
            opening.result.close();
            resolve(keys.result.map((key, index) => [String(key), values.result[index]] as [string, unknown]));
          };
        };
      }),
  );
}

function writeDatabase(page: Page, entries: [string, unknown][]): Promise<void> {
  return page.evaluate(
    (list) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('podium');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('values', 'readwrite');
          for (const [key, value] of list) transaction.objectStore('values').put(value, key);
          transaction.oncomplete = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
    entries,
  );
}

async function startVideo(page: Page): Promise<void> {
  const buffer = await drawProductPhoto('garment', { width: 600, height: 800 });
  await page.goto('/dashboard/create-video');
  await page.locator('input[type=file]').first().setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: /Создать видео/ }).click();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение/).first()).toBeVisible();
}

test('after a crash another tab follows the video that runs, and the server has the last word', async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await startVideo(page);
  // With its last window a browser would end, and the session with it.
  const other = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await other.goto('/dashboard/create-video');
  await expect(other.getByText(/Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first()).toBeVisible();
  const [[key, saved]] = (await readDatabase(other)).filter(([name]) => name.endsWith('/activeGeneration')) as [
    [string, { generationId: string }],
  ];
  await writeDatabase(other, [[key, { ...saved, generationId: '00000000-0000-7000-8000-000000000000' }]]);
  await other.goto('/app');
  await other.goto('/dashboard/create-video');
  await expect(other.getByText(saved.generationId.slice(0, 8)).first()).toBeVisible();
});

test('what was broken, of another version or of somebody else goes, and nothing breaks', async ({ page }) => {
  const { accountId } = await signInAsNew(page);
  await page.goto('/app');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const own = `podium/1/${accountId}`;
  await writeDatabase(page, [
    [`${own}/activeGeneration`, '{broken'],
    [`${own}/changeModelRequestId`, 'undefined'],
    [`${own}/photoshootSession`, 'null'],
    [`podium/0/${accountId}/videoDraft`, {}],
    ['podium/1/999999/videoDraft', { photo: 'of somebody else' }],
  ]);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.evaluate(() => localStorage.setItem('activeGeneration', 'undefined'));
  for (const path of ['/dashboard/create-video', '/dashboard/change-model', '/dashboard/photoshoot']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  await expect
    .poll(async () => (await readDatabase(page)).map(([key]) => key).filter((key) => !key.includes('device')))
    .toEqual([]);
  expect(await page.evaluate(() => localStorage.getItem('activeGeneration'))).toBeNull();
  expect(errors).toEqual([]);
});

test('without a database the app works, and finds what runs by the server', async ({ page }) => {
  await signInAsNew(page);
  await startVideo(page);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no', 'InvalidStateError');
    };
  });
  await page.goto('/dashboard/create-video');
  await expect(
    page.getByText(/Видео создаётся|Готовим фото|Кроим сцену|Шьём движение|Видео готово/).first(),
  ).toBeVisible();
});

test('with localStorage full the app works and does not freeze', async ({ page }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Пальто', count: 40 });
  await page.evaluate(() => {
    for (let size = 1 << 20; size > 10; size = Math.floor(size / 2)) {
      for (let index = 0; ; index += 1) {
        try {
          localStorage.setItem(`fill-${size}-${index}`, 'x'.repeat(size));
        } catch {
          break;
        }
      }
    }
  });
  await page.addInitScript(() => {
    const own = window as { longest?: number };
    own.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) own.longest = Math.max(own.longest ?? 0, duration);
    }).observe({ type: 'longtask' });
  });
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { name: /Пальто/ }).first()).toBeVisible();
  await page.evaluate(() => Object.assign(window, { longest: 0 }));
  await page.waitForTimeout(2500);
  expect(await page.evaluate(() => (window as { longest?: number }).longest)).toBeLessThan(200);
});

test('a sign-out leaves nothing of the account in any tab', async ({ page, context }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Пальто' });
  await page.goto('/app');
  await waitForWorker(page);
  await page.goto('/dashboard/gallery');
  await expect(page.getByRole('heading', { name: 'Пальто' })).toBeVisible();
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), SNAPSHOT)).toContain('Пальто');
  const other = await context.newPage();
  await other.goto('/dashboard/gallery');
  await expect(other.getByRole('heading', { name: 'Пальто' })).toBeVisible();
  await other.getByRole('button', { name: 'Выйти' }).click();
  await expect(other).toHaveURL(/\/auth/);
  await expect(page).toHaveURL(/\/auth/);
  await page.waitForTimeout(2500);
  for (const tab of [page, other]) {
    await expect(tab.getByText('Пальто')).toHaveCount(0);
    const left = await tab.evaluate(async () => ({
      local: Object.keys(localStorage).filter((key) => /session|queries/.test(key)),
      caches: (await caches.keys()).filter((name) => name.startsWith('podium-media')),
      text: JSON.stringify(localStorage).includes('Пальто'),
    }));
    expect(left).toEqual({ local: [], caches: [], text: false });
    expect((await readDatabase(tab)).filter(([key]) => key.includes(String(owner.accountId)))).toEqual([]);
  }
  await page.goBack();
  await expect(page.getByText('Пальто')).toHaveCount(0);
});

test('what was kept by another build, for another account or a day ago is not shown', async ({ page, context }) => {
  const owner = await signInAsNew(page);
  await addImages(owner, { kind: 'model_change', title: 'Пальто' });
  await page.goto('/app');
  await waitForWorker(page);
  await page.goto('/dashboard/gallery');
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), SNAPSHOT)).toContain('Пальто');
  const snapshot = (await page.evaluate((key) => localStorage.getItem(key), SNAPSHOT)) ?? '';
  // Neither who it is nor what they own or may download.
  for (const secret of [
    'isEmailVerified',
    'balance',
    'canDownload',
    'isPremium',
    'hasSuccessfulTransactions',
    owner.email,
  ]) {
    expect(snapshot).not.toContain(secret);
  }
  const kept = JSON.parse(snapshot) as { buster: string; timestamp: number };
  await context.setOffline(true);
  const show = async (changed: object) => {
    await page.goto('/payment/fail');
    await page.waitForTimeout(1500);
    await page.evaluate(
      ([key, text]) => localStorage.setItem(key ?? '', text ?? ''),
      [SNAPSHOT, JSON.stringify({ ...kept, ...changed })],
    );
    await page.goto('/dashboard/gallery');
    await expect(page.getByText(/Не удалось загрузить|Показаны\sданные\sот/).first()).toBeVisible();
    return page.getByRole('heading', { name: 'Пальто' }).count();
  };
  expect(await show({})).toBe(1);
  expect(await show({ buster: `other:${owner.accountId}` })).toBe(0);
  expect(await show({ buster: kept.buster.replace(/\d+$/, '1') })).toBe(0);
  expect(await show({ timestamp: kept.timestamp - 25 * 3600_000 })).toBe(0);
});
