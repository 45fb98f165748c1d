// The longest task of a page's main thread, from a trace of Chromium. Processor time is measured, and multiplied for a
// slow processor: on a shared machine the time on the wall, which a browser would slow down, says what the others do.
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { z } from 'zod';

export const CPU_SLOWDOWN = 4;

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

/** Scrolls as fast as the list comes, until nothing follows for two seconds. */
export async function scrollToEnd(page: Page): Promise<void> {
  for (let stood = 0; stood < 20; ) {
    await page.mouse.wheel(0, 8000);
    await wait(100);
    const isAtEnd = await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1);
    stood = isAtEnd ? stood + 1 : 0;
  }
}

/** Returns the longest task of the page's main thread while `open` runs, in milliseconds of a slow processor. */
export async function traceLongestTask(browser: Browser, page: Page, open: () => Promise<unknown>): Promise<number> {
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
