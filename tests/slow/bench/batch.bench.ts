// A batch of 200 photos on a phone: how long after the choice of files all of them are rows, and the longest task of the
// main thread while the rows are scrolled through.
import { appendFile, copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright';
import { PATHS } from '#shared/rules/app-paths.ts';
import { BATCH_ROWS_MAX } from '#shared/rules/batches.ts';
import { signInAsNew } from '#tests/e2e/fixture.ts';
import { drawProductPhoto } from '#tests/fixtures/draw-product-photo.ts';
import { BROWSER, PHONE, withProgram } from './browser-fixture.ts';
import { reportFigure } from './figures.ts';
import { CPU_SLOWDOWN, scrollToEnd, traceLongestTask } from './trace-tasks.ts';

const ROWS_BUDGET_MS = 2_000;
const TASK_BUDGET_MS = 100;
/** As a phone's camera gives them. */
const FILE_BYTES = 2_500_000;

await withProgram(async (baseURL, folder) => {
  const files = await writePhotos(path.join(folder, 'photos'));
  const browser = await chromium.launch(BROWSER);
  try {
    const context = await browser.newContext({ baseURL, viewport: PHONE, serviceWorkers: 'block' });
    const page = await context.newPage();
    await signInAsNew(page as never, { stars: 500, isPaid: true });
    await page.goto(PATHS.batches);
    await page.getByRole('button', { name: 'Новая партия' }).click();
    await page.getByRole('heading', { level: 1, name: /Видео/ }).waitFor();
    await page.evaluate(() => {
      addEventListener('change', () => performance.mark('chosen'), { capture: true, once: true });
    });
    const all = page.getByText(new RegExp(`всего ${BATCH_ROWS_MAX}\\sфото`));
    await page.locator('input[type=file]').first().setInputFiles(files);
    await all.waitFor();
    const shown = await page.evaluate(
      () => performance.now() - (performance.getEntriesByName('chosen')[0]?.startTime ?? Number.NaN),
    );
    const rows = `rows of ${BATCH_ROWS_MAX} photos after their choice`;
    reportFigure({ what: rows, unit: 'ms', values: [shown], budget: { atMost: ROWS_BUDGET_MS } });
    await page.getByText(new RegExp(`^${BATCH_ROWS_MAX}\\sк\\sзапуску`)).waitFor({ timeout: 600_000 });
    reportTask(`scrolling ${BATCH_ROWS_MAX} rows`, await traceLongestTask(browser, page, () => scrollToEnd(page)));
  } finally {
    await browser.close();
  }
});

/** Photos with one picture and different bytes. */
async function writePhotos(folder: string): Promise<string[]> {
  await mkdir(folder);
  const first = path.join(folder, 'photo.jpg');
  const photo = await drawProductPhoto('garment', { width: 1500, height: 2000 });
  await writeFile(first, Buffer.concat([photo, Buffer.alloc(Math.max(0, FILE_BYTES - photo.length))]));
  const files = Array.from({ length: BATCH_ROWS_MAX }, (_, index) => path.join(folder, `ART-${100 + index}.jpg`));
  for (const [index, file] of files.entries()) {
    await copyFile(first, file);
    await appendFile(file, String(index));
  }
  return files;
}

function reportTask(what: string, longest: number): void {
  const measured = `${what} at ${CPU_SLOWDOWN}x CPU, longest task`;
  reportFigure({ what: measured, unit: 'ms', values: [longest], budget: { atMost: TASK_BUDGET_MS } });
}
