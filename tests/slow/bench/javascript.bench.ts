// How much JavaScript the first pages load (gzip): what the build says that they load, and what a browser loads until it
// has been idle for ten seconds. The floor is a hello page on the same stack.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright';
import { buildCode, CODE_BUDGETS, listClosure, type MeasuredPage, weigh } from '#tests/support/measure-code.ts';
import { BROWSER, PHONE, withProgram } from './browser-fixture.ts';
import { reportFigure } from './figures.ts';

/** The worker is registered after five seconds. What it loads for later is not the page's. */
const IDLE_MS = 10_000;
const HELLO = path.resolve(import.meta.dirname, '../../pwa/support/hello-page.tsx');
const pages = Object.keys(CODE_BUDGETS) as MeasuredPage[];

const floorKib = weigh([...(await buildCode(HELLO)).values()]);
const code = await buildCode();
for (const page of pages) {
  const kib = weigh(listClosure(code, page));
  tell(`JavaScript of ${page}`, kib);
  reportFigure({
    what: `JavaScript of ${page}`,
    unit: 'KiB of gzip',
    values: [kib],
    budget: { atMost: CODE_BUDGETS[page] },
  });
}
// Only after the builds: the database's client sets a global that a plugin of the build takes for its own.
const { signInAsNew } = await import('#tests/e2e/fixture.ts');
await withProgram(async (url) => {
  const browser = await chromium.launch(BROWSER);
  try {
    // Later come what runs behind every page, such as live updates, and what belongs to the state of the account.
    const sizes = await Promise.all(
      pages.map(async (page) => [page, await loadUntilIdle(browser, url, page)] as const),
    );
    for (const [page, kib] of sizes) tell(`JavaScript of ${page} until idle`, kib);
  } finally {
    await browser.close();
  }
});

function tell(what: string, kib: number): void {
  const ratio = (kib / floorKib).toFixed(2);
  console.log(`${what}: ${kib.toFixed(1)} KiB, ${ratio} of a hello page, which has ${floorKib.toFixed(1)}`);
}

/** Opens the page for the first time and presses nothing. Returns KiB of gzip. */
async function loadUntilIdle(browser: Browser, baseURL: string, page: MeasuredPage): Promise<number> {
  const context = await browser.newContext({ baseURL, viewport: PHONE });
  try {
    const tab = await context.newPage();
    if (page === '/app') await signInAsNew(tab as never);
    const scripts = noteScripts(tab);
    await tab.goto(page);
    await wait(IDLE_MS);
    const sizes = await Promise.all([...scripts].map(countGzipBytes));
    return sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024;
  } finally {
    await context.close();
  }
}

/** The addresses of the scripts that the tab itself asks for. */
function noteScripts(tab: Page): Set<string> {
  const scripts = new Set<string>();
  tab.on('request', (request) => {
    if (request.resourceType() === 'script' && !request.serviceWorker()) scripts.add(request.url());
  });
  return scripts;
}

async function countGzipBytes(url: string): Promise<number> {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
  return Number(headers.get('content-length'));
}
