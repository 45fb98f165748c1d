import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, test as base, chromium, type Page } from 'playwright/test';
import { type FrontServer, startFrontServer } from './front-server.ts';

interface Fixtures {
  /** A proxy before the program, for new releases and a slow line. */
  front: FrontServer;
  /** Starts another browser with its own profile. With `appUrl` it is an installed app, without browser controls. */
  launch: (options?: { appUrl?: string }) => Promise<BrowserContext>;
}

/** A browser with a profile on disk. Without one, as in a private window, nothing can be installed. */
export const test = base.extend<Fixtures>({
  front: async ({ baseURL }, use) => {
    const front = await startFrontServer(baseURL ?? '');
    await use(front);
    await front.stop();
  },
  launch: async ({ baseURL, locale, viewport, launchOptions }, use) => {
    const folders: string[] = [];
    const contexts: BrowserContext[] = [];
    await use(async ({ appUrl } = {}) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'podium-profile-'));
      folders.push(folder);
      const context = await chromium.launchPersistentContext(folder, {
        ...launchOptions,
        // Playwright's default headless shell refuses notifications.
        ...(launchOptions.executablePath ? {} : { channel: 'chromium' }),
        args: [...(launchOptions.args ?? []), ...(appUrl ? [`--app=${appUrl}`] : [])],
        baseURL,
        locale,
        viewport,
        permissions: ['notifications'],
        serviceWorkers: 'allow',
      });
      contexts.push(context);
      return context;
    });
    for (const context of contexts) await context.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  },
  context: async ({ launch }, use) => {
    await use(await launch());
  },
  page: async ({ context }, use) => {
    await use(context.pages()[0] ?? (await context.newPage()));
  },
});

/** Waits until the worker has cached its files, controls this page and can receive pushes. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
    }
    // A push to a worker that is still activating is lost.
    while (active?.state === 'activating') await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

/** Waits until the page has drawn what it knows. */
export function waitForDrawing(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}
