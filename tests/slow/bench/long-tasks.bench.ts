// The longest task of the main thread while a signed-in person opens the page of videos and a gallery of 500 results, and
// scrolls through one of 5,000.
// The code is in the browser's cache.
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright';
import { PATHS } from '#shared/rules/app-paths.ts';
import { addImages, signInAsNew } from '#tests/e2e/fixture.ts';
import { BROWSER, PHONE, withProgram } from './browser-fixture.ts';
import { reportFigure } from './figures.ts';
import { CPU_SLOWDOWN, scrollToEnd, traceLongestTask } from './trace-tasks.ts';

const ROUNDS = 4;
const RESULTS = 500;
const MANY_RESULTS = 5000;
const BUDGET_MS = 100;
/** An open page does no more work that its opening has caused. */
const SETTLED_MS = 3000;

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
