import { expect, type Page } from 'playwright/test';
import { addImages, signInAsNew, startPhotosession } from '#tests/e2e/fixture.ts';
import { choosePhoto } from './choose-photo.ts';
import { readDatabase, writeDatabase } from './database.ts';
import { test, waitForWorker } from './installed.ts';

/** A frame of a photo session that is ready. */
const FRAME = /^Увеличить: Кадр/;

const SNAPSHOT = 'podium.queries';

async function startVideo(page: Page): Promise<void> {
  await page.goto('/dashboard/create-video');
  await choosePhoto(page, 'a.jpg');
  await page.getByRole('button', { name: /Создать видео/ }).click();
  await expect(page.getByText(/Готовим фото|Кроим сцену|Шьём движение/).first()).toBeVisible();
}

test('after a crash another tab follows the video that runs, and the server has the last word', async ({
  page,
  context,
}) => {
  await signInAsNew(page, { pace: 'held' });
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
  await expect(other.getByText(saved.generationId.slice(-8)).first()).toBeVisible();
});

test('after a crash another tab goes on with the photo session, and the server has the last word', async ({
  page,
  context,
}) => {
  const owner = await signInAsNew(page);
  const sessionId = await startPhotosession(owner);
  const findSaved = async (tab: Page) =>
    (await readDatabase(tab)).find(([name]) => name.endsWith('/activePhotoshootSession'));
  await page.goto('/dashboard/photoshoot');
  await expect(page.getByRole('button', { name: FRAME })).toHaveCount(1);
  await expect.poll(() => findSaved(page)).toMatchObject([expect.any(String), { id: sessionId }]);
  await page.reload();
  await expect(page.getByText('Продолжение генерации')).toBeVisible();
  const [key, saved] = (await findSaved(page)) as [string, { id: string }];

  const other = await context.newPage();
  await page.close({ runBeforeUnload: false });
  // By what lies on the device alone: nobody is asked which session it was.
  const lists: string[] = [];
  other.on('request', (request) => {
    if (request.url().includes('/api/photosessions')) lists.push(request.url());
  });
  await other.goto('/dashboard/photoshoot');
  await expect(other.getByRole('button', { name: FRAME })).toHaveCount(1);
  expect(lists).toEqual([]);

  // The device remembers another one than the server knows.
  await writeDatabase(other, [[key, { ...saved, id: '00000000-0000-7000-8000-000000000000' }]]);
  await other.reload();
  await expect.poll(() => findSaved(other)).toMatchObject([key, { id: sessionId }]);
  await expect(other.getByRole('button', { name: FRAME })).toHaveCount(1);
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
  const listKeys = async () => (await readDatabase(page)).map(([key]) => key).filter((key) => !key.includes('device'));
  // Each page looks at its own once it has been drawn.
  for (const [path, key] of [
    ['/dashboard/create-video', 'activeGeneration'],
    ['/dashboard/change-model', 'changeModelRequestId'],
    ['/dashboard/photoshoot', 'photoshootSession'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(listKeys).not.toContain(`${own}/${key}`);
  }
  await expect.poll(listKeys).toEqual([]);
  expect(errors).toEqual([]);
});

test('without a database the app works, and finds what runs by the server', async ({ page }) => {
  await signInAsNew(page, { pace: 'held' });
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

test('a connection to the database that iOS has closed is opened again, and nothing is lost', async ({
  page,
  context,
}) => {
  await signInAsNew(page);
  await page.goto('/dashboard/create-video');
  await waitForWorker(page);
  await context.setOffline(true);
  await choosePhoto(page, 'пальто.jpg');
  const waiting = page.getByText('Отправится, когда появится связь');
  await expect(waiting).toBeVisible();
  await page.addInitScript(() => {
    const { transaction } = IDBDatabase.prototype;
    const own = window as { lostUses?: number };
    own.lostUses = 0;
    const known = new WeakSet<IDBDatabase>();
    // The first connection of each page is gone when it is used, as after a suspension.
    IDBDatabase.prototype.transaction = function (...given) {
      if ((own.lostUses ?? 0) === 0 || known.has(this)) {
        known.add(this);
        own.lostUses = (own.lostUses ?? 0) + 1;
        throw new DOMException('The database connection is closing.', 'InvalidStateError');
      }
      return transaction.apply(this, given);
    };
  });
  await page.reload();
  await expect(waiting).toBeVisible();
  expect(await page.evaluate(() => (window as { lostUses?: number }).lostUses)).toBeGreaterThan(0);
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
  await page.clock.install();
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
  // What a tab still meant to write down is written now.
  await page.clock.runFor(10_000);
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
  // Laid down before the page's own code runs: an open page would write over it.
  const show = async (changed: object) => {
    await page.addInitScript(
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
