import type { Page } from 'playwright/test';

/** Chromium forgets a notification that is queried before the system has confirmed it. */
const SHOWN_MS = 1500;

/** Delivers a push to the real worker, as the browser does, and waits until its notification is shown. */
export async function deliverPush(page: Page, data: string): Promise<void> {
  const { origin } = new URL(page.url());
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
  await session.detach();
  await page.waitForTimeout(SHOWN_MS);
}

/** Our notifications that the system shows. */
export function readNotifications(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag, icon, data }) => ({ title, body, tag, icon: new URL(icon).pathname, data }));
  });
}
