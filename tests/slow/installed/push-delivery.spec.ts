import { expect, type Page } from 'playwright/test';
import { pushMessage } from '#shared/contract/push-message.ts';
import { resultPath } from '#shared/rules/result-links.ts';
import { signInAsNew, startPhotosession, timeOut } from '#tests/e2e/fixture.ts';
import { startPreparedPushService } from '#tests/e2e/push-service.ts';
import type { FakePushService } from '#tests/support/fake-push-service.ts';
import { test, waitForWorker } from './installed.ts';
import { deliverPush, readNotifications } from './push-door.ts';

const OFFER = 'Сообщить, когда будет готово?';

let service: FakePushService;

test.beforeEach(async ({ page }) => {
  await page.goto('/cases');
  service = await startPreparedPushService(Number(new URL(page.url()).port));
});
test.afterEach(() => service?.close());

interface PushStub {
  subscribedInClick: boolean[];
  unsubscribed: number;
}

/** What a worker sees of its windows. */
interface WorkerScope {
  clients: { matchAll(options: { type: 'window' }): Promise<{ postMessage(message: object): void }[]> };
}

/** No browser of a test has a push service of its own: `subscribe` gives the address at ours. */
async function stubPushManager(page: Page): Promise<string> {
  const { endpoint, keys } = service.subscribe();
  await page.addInitScript(
    ({ endpoint, keys }) => {
      const decode = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer;
      const stub: PushStub = { subscribedInClick: [], unsubscribed: 0 };
      Object.assign(window, { pushStub: stub });
      const KEY = 'test.subscribed';
      const subscription = {
        endpoint,
        options: { applicationServerKey: null },
        getKey: (name: 'p256dh' | 'auth') => decode(keys[name]),
        unsubscribe: async () => {
          stub.unsubscribed += 1;
          sessionStorage.removeItem(KEY);
          return true;
        },
      };
      Object.assign(PushManager.prototype, {
        subscribe: async () => {
          stub.subscribedInClick.push(navigator.userActivation.isActive);
          sessionStorage.setItem(KEY, '1');
          return subscription;
        },
        getSubscription: async () => (sessionStorage.getItem(KEY) ? subscription : null),
      });
    },
    { endpoint, keys },
  );
  return endpoint;
}

const readStub = (page: Page) => page.evaluate(() => (window as unknown as { pushStub: PushStub }).pushStub);

test('a result is pushed to a person who asked for it while waiting, and its notification leads to the result', async ({
  page,
  context,
}) => {
  const endpoint = await stubPushManager(page);
  const owner = await signInAsNew(page);
  const generationId = await startPhotosession(owner);
  await page.goto('/dashboard/photoshoot');
  await waitForWorker(page);
  await expect(page.getByText(OFFER)).toBeVisible();
  expect((await readStub(page)).subscribedInClick).toEqual([]);
  await page.getByRole('button', { name: 'Сообщить' }).click();
  await expect(page.getByText('Уведомления включены')).toBeVisible();
  await expect(page.getByText(OFFER)).toBeHidden();
  await expect(page.getByText('пришлём уведомление')).toBeVisible();
  expect((await readStub(page)).subscribedInClick).toEqual([true]);

  // A page that shows the end would keep the message back.
  await page.goto('/settings#notifications');
  await expect(page.getByRole('button', { name: 'Выключить уведомления' })).toBeEnabled();
  await timeOut(owner);
  await expect.poll(() => service.messages.length, { timeout: 30_000 }).toBe(1);
  const [message] = service.messages;
  expect(message?.endpoint).toBe(endpoint);
  expect(message?.vapid.sub).toMatch(/^mailto:/);
  expect(pushMessage.parse(JSON.parse(message?.text ?? '')).app_badge).toBe(1);

  await deliverPush(page, message?.text ?? '');
  const path = resultPath('photosession', generationId);
  await expect.poll(() => readNotifications(page)).toHaveLength(1);
  const { icon, ...notification } = (await readNotifications(page))[0] ?? {};
  expect(notification).toEqual({
    title: 'Фотосессия готова',
    body: 'Откройте, чтобы посмотреть и скачать.',
    tag: generationId,
    data: { path },
  });
  expect((await page.request.get(icon ?? '')).headers()['content-type']).toBe('image/png');

  // A click without a finger may not focus or open windows; what the worker then asks the page to do is the same.
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(
    async (request) => {
      const { clients } = globalThis as unknown as WorkerScope;
      for (const client of await clients.matchAll({ type: 'window' })) client.postMessage(request);
    },
    { type: 'open_path', path },
  );
  await expect(page.getByRole('button', { name: 'Создать новую' })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/photoshoot$/);
  // What the page shows, the system need not show any more.
  await expect.poll(() => readNotifications(page)).toEqual([]);
  const readUnseen = async () => (await page.request.get('/api/notifications/unseen')).json();
  await expect.poll(readUnseen).toEqual({ unseen: 0, results: [] });
});

test('nobody is asked on load, and signing out ends the subscription on both sides', async ({ page }) => {
  await stubPushManager(page);
  const owner = await signInAsNew(page);
  await page.goto('/settings#notifications');
  await waitForWorker(page);
  await page.getByRole('button', { name: 'Включить уведомления' }).click();
  await expect(page.getByRole('button', { name: 'Выключить уведомления' })).toBeEnabled();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Выключить уведомления' })).toBeEnabled();
  expect((await readStub(page)).subscribedInClick).toEqual([]);

  await page.getByRole('button', { name: 'Выйти' }).first().click();
  await expect(page).toHaveURL(/\/auth/);
  await expect.poll(async () => (await readStub(page)).unsubscribed).toBe(1);
  await startPhotosession(owner);
  await timeOut(owner);
  // The notice of somebody else's later result comes alone.
  const other = await signInAsNew(page);
  const subscription = service.subscribe();
  await page.request.post('/api/notifications/devices', { data: subscription });
  await startPhotosession(other);
  await timeOut(other);
  await expect.poll(() => service.requests).toEqual([subscription.endpoint]);
});

test('of two tabs one holds the stream, the other hears too, and takes over when the first closes', async ({
  page,
  context,
}) => {
  const streams: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/events')) streams.push(request.url());
  });
  const owner = await signInAsNew(page, { stars: 7 });
  await page.goto('/stars');
  await expect.poll(() => streams.length).toBe(1);
  const other = await context.newPage();
  await other.goto('/dashboard/photoshoot');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  // From then on it hears what the first tab is told.
  await expect
    .poll(() => other.evaluate(async () => (await navigator.locks.query()).pending?.length))
    .toBeGreaterThan(0);

  const asked = other.waitForResponse((response) => response.url().endsWith('/api/stars/balance'));
  await startPhotosession(owner);
  await timeOut(owner);
  await asked;
  expect(streams).toHaveLength(1);
  await page.close();
  await expect.poll(() => streams.length).toBe(2);
});
