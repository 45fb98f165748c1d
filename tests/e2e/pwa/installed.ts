import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type BrowserContext, test as base, chromium, type Page } from 'playwright/test';

interface Fixtures {
  /** Starts another browser on a profile of its own; `appUrl`: as an installed app, in a window without controls. */
  launch: (options?: { appUrl?: string }) => Promise<BrowserContext>;
}

/** A browser with a profile on the disk: without one, as in a private window, nothing can be installed. */
export const test = base.extend<Fixtures>({
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

/** Waits until the worker has everything it keeps from the start and answers this page. */
export async function waitForWorker(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  });
}
