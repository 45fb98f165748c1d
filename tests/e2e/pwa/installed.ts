import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, test as base, chromium, type Page } from 'playwright/test';
import { type FrontServer, startFrontServer } from './front-server.ts';

interface Fixtures {
  /** The same program behind an address at which releases can be made and the line slowed down. */
  front: FrontServer;
  /** Starts another browser on a profile of its own; `appUrl`: as an installed app, in a window without controls. */
  launch: (options?: { appUrl?: string }) => Promise<BrowserContext>;
}

/** A browser with a profile on the disk: without one, as in a private window, nothing can be installed. */
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
        // The small shell that Playwright starts by itself refuses notifications.
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

/** Waits until the worker has everything it keeps from the start, answers this page and can be woken. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) {
      await new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
    }
    // A push to one that is only about to be active is lost.
    while (active?.state === 'activating') await new Promise((resolve) => setTimeout(resolve, 50));
  });
}
