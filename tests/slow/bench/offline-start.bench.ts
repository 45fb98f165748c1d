// How soon the second visit to /app shows something without a network, on a slow processor. The floor is the same build
// online without the worker.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BrowserContext } from 'playwright';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { openProfile, slowDown, withProgram } from './browser-fixture.ts';
import { alternate, reportFigure } from './figures.ts';

const ROUNDS = 5;
const CPU_SLOWDOWN = 4;
const BUDGET_MS = 300;

await withProgram(async (url, folder) => {
  const offline = await openApp(folder, url, 'allow');
  const online = await openApp(folder, url, 'block');
  try {
    await offline.setOffline(true);
    const { values, floorValues } = await alternate(ROUNDS, {
      figure: () => paintOnce(offline),
      floor: () => paintOnce(online),
    });
    // The ratio is told, the budget is for the time: what a person waits for.
    const what = `second visit to /app offline at ${CPU_SLOWDOWN}x CPU, first paint`;
    console.log(`online without the worker: ${floorValues.map(Math.round).join(' ')} ms`);
    reportFigure({ what, unit: 'ms', values, budget: { atMost: BUDGET_MS } });
  } finally {
    await Promise.all([offline.close(), online.close()]);
  }
});

/** A browser that has visited /app once. */
async function openApp(folder: string, url: string, worker: 'allow' | 'block'): Promise<BrowserContext> {
  const context = await openProfile(path.join(folder, worker), url, worker);
  const page = context.pages()[0] ?? (await context.newPage());
  await signInAsNew(page as never);
  await page.goto('/app');
  if (worker === 'allow') await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.getByRole('heading', { level: 1 }).waitFor();
  await wait(2000);
  return context;
}

/** Opens a new tab, like a start from the home screen. Returns the time of the first contentful paint in milliseconds. */
async function paintOnce(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await slowDown(context, page, CPU_SLOWDOWN);
  await page.goto('/app');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await page.close();
  return paintMs;
}
