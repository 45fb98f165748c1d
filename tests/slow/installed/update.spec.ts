import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from 'playwright/test';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { choosePhoto } from './choose-photo.ts';
import { test, waitForDrawing, waitForWorker } from './installed.ts';

const NEW_VERSION = 'Доступна новая версия';
const SECOND_RELEASE = `self.addEventListener('message', (event) => { if (event.data === 'which') event.ports[0].postMessage('second'); });`;

/** Counts the loads of a page from now on. */
function countLoads(page: Page): () => number {
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  return () => loads;
}

/** Nothing comes over a page while the question about cookies stands there. */
async function declineCookies(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Отклонить' }).click();
}

async function checkForUpdate(page: Page): Promise<void> {
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
}

function askWorker(page: Page): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => resolve(data);
        setTimeout(() => resolve('first'), 1000);
        navigator.serviceWorker.controller?.postMessage('which', [port2]);
      }),
  );
}

test('a new release is offered without a reload, and taken by every tab at one press', async ({
  page,
  context,
  front,
}) => {
  await signInAsNew(page);
  await page.goto(`${front.url}/cases`);
  await page.evaluate(
    (marker) => localStorage.setItem('podium.session', marker),
    JSON.stringify({ userId: 1, name: 'x' }),
  );
  await waitForWorker(page);
  await declineCookies(page);
  const other = await context.newPage();
  await other.goto(`${front.url}/cases`);
  const loads = [countLoads(page), countLoads(other)] as const;
  front.release(SECOND_RELEASE);
  await page.bringToFront();
  await checkForUpdate(page);
  await expect(page.getByText(NEW_VERSION)).toBeVisible();
  expect([loads[0](), loads[1]()]).toEqual([0, 0]);
  await page.getByRole('button', { name: 'Обновить' }).click();
  await expect.poll(() => [loads[0](), loads[1]()]).toEqual([1, 1]);
  await expect.poll(() => askWorker(page)).toBe('second');
  await expect(page.getByText(NEW_VERSION)).toBeHidden();
});

test('a new release takes nothing that was begun, until it is asked for', async ({ page, front, baseURL }) => {
  await page.goto(`${front.url}/cases`);
  await signInAsNew(page);
  const marker = await page.evaluate(() => localStorage.getItem('podium.session') ?? '');
  expect(baseURL).not.toBe(front.url);
  await page.goto(`${front.url}/cases`);
  await page.evaluate((value) => localStorage.setItem('podium.session', value), marker);
  await page.goto(`${front.url}/dashboard/change-model`);
  await waitForWorker(page);
  await declineCookies(page);
  await choosePhoto(page, 'рубашка.jpg');
  await expect(page.getByText('рубашка.jpg')).toBeVisible();
  const goOn = () => page.getByRole('button', { name: 'Далее' }).locator('visible=true').click();
  const choices = (group: string) => page.getByRole('radiogroup', { name: group, exact: true }).getByRole('radio');
  await goOn();
  const background = choices('Фон').nth(2);
  await background.click();
  await expect(background).toBeChecked();
  const loads = countLoads(page);
  front.release(SECOND_RELEASE);
  await checkForUpdate(page);
  await expect(page.getByText(NEW_VERSION)).toBeVisible();
  await expect(background).toBeChecked();
  expect(loads()).toBe(0);
  await page.getByRole('button', { name: 'Обновить' }).click();
  await expect.poll(loads).toBe(1);
  // Kept on the device.
  await expect(background).toBeChecked();
  await page.getByRole('list', { name: 'Шаги' }).getByRole('button', { name: 'Фото' }).click();
  await expect(page.getByText('рубашка.jpg')).toBeVisible();
});

test('a page with older documents than the server takes the new release before it asks for a consent', async ({
  page,
  front,
}) => {
  await signInAsNew(page);
  const marker = await page.evaluate(() => localStorage.getItem('podium.session') ?? '');
  await page.goto(`${front.url}/cases`);
  await page.evaluate((value) => localStorage.setItem('podium.session', value), marker);
  await changeAnswer(page, '/api/auth/user', { consentVersion: '2020-01-01' });
  await changeAnswer(page, '/api/tools', { documentsVersion: '2099-01-01' });
  await page.goto(`${front.url}/dashboard/photoshoot`);
  await waitForWorker(page);
  await declineCookies(page);
  const loads = countLoads(page);
  front.release(SECOND_RELEASE);
  await page.getByRole('button', { name: 'Прочитать и согласиться' }).click();
  await page.getByRole('button', { name: 'Обновить страницу' }).click();
  await expect.poll(loads).toBe(1);
  await expect.poll(() => askWorker(page)).toBe('second');
});

/** The server's answer with these fields in place of its own. */
async function changeAnswer(page: Page, path: string, fields: object): Promise<void> {
  await page.route(
    ({ pathname }) => pathname === path,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...fields } });
    },
  );
}

test('a page whose code is gone after a release loads once more, and without a network does not', async ({
  page,
  front,
  context,
}) => {
  await page.goto(`${front.url}/privacy-policy`);
  // As if the worker had lost the file as well.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) if (request.url.includes('cases-page')) await cache.delete(request);
    }
  });
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
  front.remove(/cases-page/);
  const loads = countLoads(page);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Кейсы' }).click();
  await expect.poll(loads).toBe(1);
  // The code is asked for once more, in vain.
  await page.waitForLoadState('networkidle');
  expect(loads()).toBe(1);

  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${front.url}/terms-of-service`);
  // It comes when the page's code has taken over. Before that a link is the browser's own.
  await expect(page.getByRole('button', { name: 'Отклонить' })).toBeVisible();
  await context.setOffline(true);
  const offlineLoads = countLoads(page);
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('cases-page'));
  await page.getByRole('contentinfo').getByRole('link', { name: 'Кейсы' }).click();
  await failed;
  await waitForDrawing(page);
  expect(offlineLoads()).toBe(0);
});

test('an operator can withdraw the worker: browsers drop it with all it kept', async ({ page }) => {
  const switchFile = path.join(process.env.E2E_DATA_DIR ?? '', 'withdraw-worker');
  await page.goto('/cases');
  await waitForWorker(page);
  writeFileSync(switchFile, '');
  try {
    await checkForUpdate(page);
    await expect.poll(() => page.evaluate(async () => (await caches.keys()).length).catch(() => -1)).toBe(0);
    // Meanwhile the page reloads by itself.
    const hasWorker = () => page.evaluate(() => navigator.serviceWorker.controller !== null).catch(() => true);
    await expect.poll(hasWorker).toBe(false);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  } finally {
    rmSync(switchFile);
  }
});
