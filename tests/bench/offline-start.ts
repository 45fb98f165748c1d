// `node tests/bench/offline-start.ts`: how soon the second visit to /app shows something without a network, on a slow
// processor, beside the same build online without the worker (offline it would show the browser's error page).
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
  const median = withWorker.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
  const medianWithout = without.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? Number.NaN;
  console.log(
    `offline, with the worker:   ${withWorker.map(Math.round).join(' ')} ms, median ${Math.round(median)} ms`,
  );
  console.log(
    `online, without the worker: ${without.map(Math.round).join(' ')} ms, median ${Math.round(medianWithout)} ms`,
  );
  console.log(`first contentful paint of /app at ${CPU_SLOWDOWN}x CPU slowdown; at most ${TARGET_MS} ms wanted`);
  process.exitCode = median <= TARGET_MS ? 0 : 1;
} finally {
  program.kill('SIGINT');
  rmSync(folder, { recursive: true, force: true });
}

async function measure(
  worker: 'with' | 'without',
  cutOff: (context: BrowserContext) => Promise<void>,
): Promise<number[]> {
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
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await paintOnce(context));
    return times;
  } finally {
    await context.close();
  }
}

/** In a new tab, as a start from the home screen is. */
async function paintOnce(context: BrowserContext): Promise<number> {
  const page: Page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await page.goto('/app');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const time = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  await page.close();
  return time;
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
