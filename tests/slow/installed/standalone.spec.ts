import { devices, expect, type Page } from 'playwright/test';
import { addVideo, signInAsNew, startPhotosession } from '#tests/e2e/fixture.ts';
import { test, waitForDrawing, waitForWorker } from './installed.ts';

/** A frame of a photo session that is ready. */
const FRAME = /^Увеличить: Кадр/;

test('in a window of its own every page leads on, and what is elsewhere opens elsewhere', async ({
  launch,
  baseURL,
}) => {
  const context = await launch({ appUrl: `${baseURL}/cases` });
  const page = context.pages()[0] ?? (await context.waitForEvent('page'));
  await page.waitForLoadState();
  expect(await page.evaluate(() => matchMedia('(display-mode: standalone)').matches)).toBe(true);
  await signInAsNew(page);
  for (const path of [
    '/app',
    '/dashboard/create-video',
    '/dashboard/gallery',
    '/settings',
    '/stars',
    '/cases',
    '/nowhere',
  ]) {
    await page.goto(path);
    await expect(page.getByRole('link', { name: /главную|Главная/ }).first()).toBeVisible();
    const outside = await page.evaluate(() =>
      [...document.links]
        .filter(({ origin, target }) => origin !== location.origin && target !== '_blank')
        .map(({ href }) => href),
    );
    expect(
      outside.filter((href) => href.startsWith('http')),
      path,
    ).toEqual([]);
  }
  expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('viewport-fit=cover');
});

test('the success of a payment is shown to a person who is not signed in', async ({ page }) => {
  await page.goto('/payment/success');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/payment/success');
});

test('after the first result the app offers itself once, and is quiet for thirty days after «Не сейчас»', async ({
  page,
}) => {
  await page.addInitScript(() =>
    addEventListener('beforeinstallprompt', () => document.documentElement.classList.add('offered')),
  );
  const owner = await signInAsNew(page);
  await addVideo(owner);
  await page.goto('/app');
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Отклонить' }).click();
  const card = page.getByRole('region', { name: 'Установка приложения' });
  const expectNoCard = async () => {
    await expect(page.locator('html.offered')).toBeAttached();
    await waitForDrawing(page);
    await expect(card).toBeHidden();
  };
  await expectNoCard();
  await page.evaluate(() => localStorage.setItem('podium.hasResult', '1'));
  await page.reload();
  await expect(card.getByText('Установите «Подиум»')).toBeVisible();
  await card.getByRole('button', { name: 'Не сейчас' }).click();
  await page.reload();
  await expectNoCard();
  await page.goto('/settings#install');
  await expect(page.getByRole('button', { name: 'Установить' })).toBeVisible();
});

/** Safari on an iPhone, as far as a page can tell. */
async function playIphone(page: Page): Promise<void> {
  await page.addInitScript((text) => {
    Object.defineProperty(navigator, 'userAgent', { get: () => text });
    Reflect.deleteProperty(window, 'PushManager');
    addEventListener('beforeinstallprompt', (event) => event.stopImmediatePropagation(), true);
  }, devices['iPhone 14'].userAgent);
}

test('on an iPhone the steps are shown in Safari, and not in the installed app', async ({ page }) => {
  await playIphone(page);
  await signInAsNew(page);
  await page.goto('/settings#install');
  const card = page.locator('#install');
  await expect(card.getByText('Нажмите «Поделиться»')).toBeVisible();
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { get: () => true }));
  await page.reload();
  await expect(page.getByText('Приложение установлено')).toBeVisible();
  await expect(card).toBeHidden();
});

test('a person who waits for a result in Safari on an iPhone learns that the installed app would announce it', async ({
  page,
}) => {
  await playIphone(page);
  await startPhotosession(await signInAsNew(page));
  await page.goto('/dashboard/photoshoot');
  const card = page.getByRole('region', { name: 'Установка приложения' });
  await expect(card.getByText('Установите «Подиум» — пришлём уведомление')).toBeVisible();
  await expect(page.getByText('Сообщить, когда будет готово?')).toBeHidden();
  await card.getByRole('button', { name: 'Не сейчас' }).click();
  await expect(card).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: FRAME })).toHaveCount(1);
  await waitForDrawing(page);
  await expect(card).toBeHidden();
});
