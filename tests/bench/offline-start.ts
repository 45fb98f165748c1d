// `node tests/bench/offline-start.ts`: measures how soon the second visit to /app shows something without a network,
// on a slow processor. Compares it with the same build online without the worker, which could not start offline.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { signInAsNew } from '#tests/e2e/scene.ts';
import { findBrowser } from '#tests/support/find-browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PORT = Number(process.env.BENCH_PORT ?? 4191);
const URL_UNDER_TEST = `http://localhost:${PORT}`;
const RUNS = 7;
const CPU_SLOWDOWN = 4;
const TARGET_MS = 400;

interface Times {
  paintMs: number;
  headingMs: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'podium-bench-'));
process.env.E2E_DATA_DIR = path.join(folder, 'data');
const program = spawn(process.execPath, ['tests/e2e/start-program.ts'], {
  cwd: ROOT,
  stdio: 'ignore',
  env: {
    ...process.env,
    DATA_DIR: process.env.E2E_DATA_DIR,
    PORT: String(PORT),
    PUBLIC_URL: URL_UNDER_TEST,
    DATABASE_URL: '',
    LOG_LEVEL: 'warn',
  },
});
try {
  await waitUntilReady();
  const withWorker = await measure('with', async (context) => {
    await context.setOffline(true);
  });
  const without = await measure('without', async () => undefined);
  const median = tell('offline, with the worker:  ', withWorker);
  tell('online, without the worker:', without);
  console.log(
    `first contentful paint and heading of /app at ${CPU_SLOWDOWN}x CPU slowdown; a paint within ${TARGET_MS} ms wanted`,
  );
  process.exitCode = median <= TARGET_MS ? 0 : 1;
} finally {
  program.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
}

/** Prints the times. Returns the median of the first contentful paints, in milliseconds. */
function tell(what: string, times: Times[]): number {
  const list = (name: keyof Times) => times.map((time) => Math.round(time[name]));
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
  const paints = list('paintMs');
  const headings = list('headingMs');
  console.log(
    `${what} ${paints.join(' ')} ms, median ${middle(paints)} ms; the heading ${headings.join(' ')} ms, median ${middle(headings)} ms`,
  );
  return middle(paints);
}

async function measure(
  worker: 'with' | 'without',
  cutOff: (context: BrowserContext) => Promise<void>,
): Promise<Times[]> {
  const context = await chromium.launchPersistentContext(path.join(folder, worker), {
    executablePath: findBrowser() ?? undefined,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    baseURL: URL_UNDER_TEST,
    viewport: { width: 390, height: 844 },
    serviceWorkers: worker === 'with' ? 'allow' : 'block',
  });
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    await signInAsNew(page as never);
    await page.goto('/app');
    if (worker === 'with') await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await wait(2000);
    await cutOff(context);
    const times: Times[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await paintOnce(context));
    return times;
  } finally {
    await context.close();
  }
}

/** Opens a new tab, like a start from the home screen. Measures when anything is visible, and when the page is. */
async function paintOnce(context: BrowserContext): Promise<Times> {
  const page: Page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.addInitScript(() => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      watcher.disconnect();
      Object.assign(window, { headingMs: performance.now() });
    });
    watcher.observe(document, { childList: true, subtree: true });
  });
  await page.goto('/app');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const times = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    headingMs: (window as { headingMs?: number }).headingMs ?? Number.NaN,
  }));
  await page.close();
  return times;
}

async function waitUntilReady(): Promise<void> {
  for (let attempt = 0; attempt < 240; attempt += 1) {
    if (
      await fetch(`${URL_UNDER_TEST}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      )
    )
      return;
    await wait(500);
  }
  throw new Error('the program did not start');
}
