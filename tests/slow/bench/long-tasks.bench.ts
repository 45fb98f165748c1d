// The longest task of the main thread while a signed-in person opens the page of videos and a gallery of 500 results, and
// scrolls through one of 5,000.
// The code is in the browser's cache. Processor time is measured, and multiplied for a slow processor: on a shared
// machine the time on the wall, which a browser would slow down, says what the others do.
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { z } from 'zod';
import { PATHS } from '#shared/rules/app-paths.ts';
import { addImages, signInAsNew } from '#tests/e2e/fixture.ts';
import { BROWSER, PHONE, withProgram } from './browser-fixture.ts';
import { reportFigure } from './figures.ts';

const ROUNDS = 4;
const CPU_SLOWDOWN = 4;
const RESULTS = 500;
const MANY_RESULTS = 5000;
const BUDGET_MS = 100;
/** An open page does no more work that its opening has caused. */
const SETTLED_MS = 3000;

/** What a trace of Chromium says about a task. Times are in microseconds; `tdur` is processor time. */
const traceSchema = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      pid: z.number(),
      tid: z.number(),
      tdur: z.number().optional(),
      args: z.object({ name: z.string().optional() }).optional(),
    }),
  ),
});

await withProgram(async (baseURL) => {
  const browser = await chromium.launch(BROWSER);
  try {
    const context = await browser.newContext({ baseURL, viewport: PHONE, serviceWorkers: 'block' });
    const page = await context.newPage();
    const owner = await signInAsNew(page as never, { stars: 50 });
    await addImages(owner, { kind: 'model_change', title: 'Кадр', count: RESULTS });
    const pages = [
      { what: 'opening create-video', path: PATHS.createVideo, isOpen: () => page.getByRole('heading', { level: 1 }) },
      {
        what: `opening a gallery of ${RESULTS}`,
        path: PATHS.gallery,
        isOpen: () => page.locator('main li, main figure').first(),
      },
    ];
    for (const { what, path, isOpen } of pages) {
      const values: number[] = [];
      // The first round fills the cache.
      for (let round = 0; round <= ROUNDS; round++) {
        const longest = await traceLongestTask(browser, page, async () => {
          await page.goto(path);
          await isOpen().waitFor();
          await wait(SETTLED_MS);
        });
        if (round > 0) values.push(longest);
      }
      report(what, values);
    }
    await addImages(owner, { kind: 'model_change', title: 'Снимок', count: MANY_RESULTS - RESULTS });
    await page.goto(PATHS.gallery);
    await page.getByRole('article').first().waitFor();
    await wait(SETTLED_MS);
    report(`scrolling a gallery of ${MANY_RESULTS}`, [await traceLongestTask(browser, page, () => scrollToEnd(page))]);
  } finally {
    await browser.close();
  }
});

function report(what: string, values: number[]): void {
  const measured = `${what} at ${CPU_SLOWDOWN}x CPU, longest task`;
  reportFigure({ what: measured, unit: 'ms', values, budget: { atMost: BUDGET_MS } });
}

/** Scrolls as fast as the list comes, until nothing follows for two seconds. */
async function scrollToEnd(page: Page): Promise<void> {
  for (let stood = 0; stood < 20; ) {
    await page.mouse.wheel(0, 8000);
    await wait(100);
    const isAtEnd = await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
    stood = isAtEnd ? stood + 1 : 0;
  }
}

/** Returns the longest task of the page's main thread while `open` runs, in milliseconds of a slow processor. */
async function traceLongestTask(browser: Browser, page: Page, open: () => Promise<unknown>): Promise<number> {
  await browser.startTracing(page, { categories: ['__metadata', 'disabled-by-default-devtools.timeline'] });
  await open();
  const { traceEvents } = traceSchema.parse(JSON.parse((await browser.stopTracing()).toString()));
  const mainThreads = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(nameThread),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && mainThreads.has(nameThread(event)));
  if (!tasks.some(({ tdur }) => tdur !== undefined)) throw new Error('the trace has no task with its processor time');
  return (Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000) * CPU_SLOWDOWN;
}

function nameThread({ pid, tid }: { pid: number; tid: number }): string {
  return `${pid}:${tid}`;
}
