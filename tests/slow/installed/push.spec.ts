import { expect } from 'playwright/test';
import { DECLARATIVE_PUSH } from '#shared/contract/push-message.ts';
import { signInAsNew, startPhotosession, timeOut } from '#tests/e2e/fixture.ts';
import { test, waitForWorker } from './installed.ts';
import { deliverPush, readNotifications } from './push-door.ts';

const message = (origin: string, body: string) =>
  JSON.stringify({
    web_push: DECLARATIVE_PUSH,
    notification: {
      title: 'Видео готово!',
      body,
      navigate: `${origin}/dashboard/gallery`,
      lang: 'ru',
      tag: 'generation-1',
      icon: `${origin}/icons/icon-192.png`,
    },
    app_badge: 3,
  });

test('a push shows one notification for each tag, and a broken one a general word', async ({ page, baseURL }) => {
  const origin = baseURL ?? '';
  await page.goto('/cases');
  await waitForWorker(page);
  await deliverPush(page, message(origin, 'Пальто, дефиле'));
  const first = { title: 'Видео готово!', tag: 'generation-1', icon: '/icons/icon-192.png' };
  const shown = { ...first, body: 'Пальто, дефиле', data: { path: '/dashboard/gallery' } };
  await expect.poll(() => readNotifications(page)).toEqual([shown]);
  await deliverPush(page, message(origin, 'Платье, поворот'));
  await expect.poll(() => readNotifications(page)).toEqual([{ ...shown, body: 'Платье, поворот' }]);
  await deliverPush(page, '{broken');
  await expect
    .poll(async () => (await readNotifications(page)).map(({ title, data }) => ({ title, data })))
    .toContainEqual({ title: 'Подиум', data: { path: '/app' } });
});

test('the worker leads an open page where a notification points, without a reload', async ({ page, context }) => {
  await signInAsNew(page);
  await page.goto('/app');
  await waitForWorker(page);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no worker');
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await worker.evaluate(async () => {
    // The types of a worker's world are not those of this file.
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, options: { notification: Notification | undefined }) => Event;
    };
    await scope.registration.showNotification('x', { data: { path: '/dashboard/gallery' } });
    const [notification] = await scope.registration.getNotifications();
    dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL(/\/dashboard\/gallery/);
  expect(loads).toBe(0);
});

test('nobody is asked for notifications on load', async ({ page, launch }) => {
  const context = await launch();
  await context.clearPermissions();
  const fresh = context.pages()[0] ?? (await context.newPage());
  await fresh.addInitScript(() => {
    Notification.requestPermission = () => {
      document.documentElement.classList.add('asked');
      return Promise.resolve('default');
    };
  });
  await fresh.clock.install();
  await signInAsNew(fresh);
  await fresh.goto('/app');
  await waitForWorker(fresh);
  await fresh.clock.runFor(60_000);
  await expect(fresh.locator('html.asked')).not.toBeAttached();
  void page;
});

test('where notifications are forbidden, the settings tell how to allow them, and nobody is asked', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
    Notification.requestPermission = () => {
      document.documentElement.classList.add('asked');
      return Promise.resolve('denied');
    };
  });
  await signInAsNew(page);
  await page.goto('/settings#notifications');
  await expect(page.getByText('Уведомления запрещены в браузере')).toBeVisible();
  await expect(page.getByText(/откройте «Разрешения»/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Включить уведомления' })).toBeHidden();
  await expect(page.locator('html.asked')).not.toBeAttached();
});

test('the icon of the installed app carries the number of unseen results, and none once they were seen', async ({
  page,
  context,
  baseURL,
}) => {
  const origin = baseURL ?? '';
  const manifestId = `${origin}/`;
  const owner = await signInAsNew(page);
  await page.goto('/settings');
  await waitForWorker(page);
  const cdp = await context.newCDPSession(page);
  await cdp.send('PWA.install', { manifestId, installUrlOrBundleUrl: `${origin}/cases` });
  const readBadge = async () => (await cdp.send('PWA.getOsAppState', { manifestId })).badgeCount;
  try {
    // An open page that shows no results.
    await startPhotosession(owner);
    await timeOut(owner);
    await expect.poll(readBadge).toBe(1);
    // By a push, whatever is open.
    await deliverPush(page, message(origin, 'Пальто, дефиле'));
    await expect.poll(readBadge).toBe(3);
    await page.goto('/dashboard/gallery');
    await expect.poll(readBadge).toBe(0);
  } finally {
    await cdp.send('PWA.uninstall', { manifestId });
  }
});
