/**
 * `npm run bench:lighthouse`: runs Lighthouse as a phone, five times for each of the pages that visitors open first,
 * and takes the medians. The program runs as with `npm start`. Ends with an error when a budget is exceeded.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { z } from 'zod';
import { prepare } from '#api/commands/prepare.ts';
import { findBrowser } from '#tests/support/find-browser.ts';
import { findFreePort, startServer } from '#tests/support/running-server.ts';

const PAGES = [
  { path: '/', chunk: 'landing-page' },
  { path: '/auth', chunk: 'auth-page' },
  { path: '/cases', chunk: 'cases-page' },
];
const RUNS = 5;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const SCORE_BUDGETS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 };
/** Budgets of the landing only. */
const LANDING_BUDGETS = { lcpMs: 1900, cls: 0.01, scriptKib: 120, requestsBeforeLcp: 10 };

/** The browser itself requests these after a page has loaded. Nothing visible waits for them. */
const OF_THE_BROWSER = /\/manifest\.webmanifest$|\/icons\//;

const networkItems = z.array(
  z.object({ url: z.string(), resourceType: z.string().optional(), networkRequestTime: z.number() }),
);
const observedTimes = z.array(z.object({ observedLargestContentfulPaint: z.number().optional() }));

interface Run {
  scores: Record<(typeof CATEGORIES)[number], number>;
  lcpMs: number;
  cls: number;
  scriptUrls: string[];
  requestsBeforeLcp: number;
  /** Failed audits, for the categories that must have all points. */
  complaints: string[];
}

prepare({ pwa: true });
const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-lighthouse-'));
const server = await startServer({ dataDir, port: await findFreePort(), env: { LOG_LEVEL: 'warn' } });
const debuggingPort = await findFreePort();
const browser = await chromium.launch({
  executablePath: findBrowser() ?? undefined,
  args: [`--remote-debugging-port=${debuggingPort}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
});
try {
  // The first request for a page renders its document.
  for (const page of PAGES) await fetch(server.url + page.path);
  for (const page of PAGES) await bench(page);
} finally {
  await browser.close();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function bench({ path: page, chunk }: (typeof PAGES)[number]): Promise<void> {
  const runs: Run[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await measure(server.url + page));
  const scores = CATEGORIES.map((name) => [name, median(runs.map((run) => run.scores[name]))] as const);
  const lcpMs = median(runs.map((run) => run.lcpMs));
  const cls = median(runs.map((run) => run.cls));
  const requestsBeforeLcp = median(runs.map((run) => run.requestsBeforeLcp));
  const allScripts = [...new Set(runs.flatMap(({ scriptUrls }) => scriptUrls))];
  const routeScripts = await listRouteScripts(page, chunk, allScripts);
  const scriptKib = (await countGzipBytes(routeScripts)) / 1024;
  const allScriptsKib = (await countGzipBytes(allScripts)) / 1024;

  console.log(
    `${page}: ${scores.map(([name, score]) => `${name} ${score}`).join(', ')}; LCP ${Math.round(lcpMs)} ms, ` +
      `CLS ${cls.toFixed(3)}, JavaScript of the route ${scriptKib.toFixed(1)} KiB gzip (with what ` +
      `comes by itself later ${allScriptsKib.toFixed(1)}), ${requestsBeforeLcp} requests before LCP ` +
      `(performance of each run: ${runs.map((run) => run.scores.performance).join(' ')})`,
  );
  const broken = scores.filter(([name, score]) => score < SCORE_BUDGETS[name]).map(([name]) => name as string);
  if (page === '/') {
    const figures = { lcpMs, cls, scriptKib, requestsBeforeLcp };
    for (const name of Object.keys(LANDING_BUDGETS) as (keyof typeof LANDING_BUDGETS)[]) {
      if (figures[name] > LANDING_BUDGETS[name]) broken.push(`${name} over ${LANDING_BUDGETS[name]}`);
    }
  }
  if (broken.length === 0) return;
  console.log(`  BROKEN: ${broken.join(', ')}`);
  for (const complaint of new Set(runs.flatMap(({ complaints }) => complaints))) console.log(`  ${complaint}`);
  process.exitCode = 1;
}

async function measure(url: string): Promise<Run> {
  const answer = await lighthouse(url, {
    port: debuggingPort,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
  });
  if (!answer || answer.lhr.runtimeError) throw new Error(`Lighthouse: ${answer?.lhr.runtimeError?.message}`);
  const { lhr } = answer;
  const requests = networkItems.parse(readItems(lhr, 'network-requests'));
  const [times] = observedTimes.parse(readItems(lhr, 'metrics'));
  const observedLcpMs = times?.observedLargestContentfulPaint ?? Number.POSITIVE_INFINITY;
  const startMs = Math.min(...requests.map(({ networkRequestTime }) => networkRequestTime));
  return {
    scores: {
      performance: readScore(lhr, 'performance'),
      accessibility: readScore(lhr, 'accessibility'),
      'best-practices': readScore(lhr, 'best-practices'),
      seo: readScore(lhr, 'seo'),
    },
    lcpMs: lhr.audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    cls: lhr.audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    scriptUrls: requests.filter(({ resourceType }) => resourceType === 'Script').map((request) => request.url),
    requestsBeforeLcp: requests.filter(
      ({ url, networkRequestTime }) => !OF_THE_BROWSER.test(url) && networkRequestTime - startMs < observedLcpMs,
    ).length,
    complaints: CATEGORIES.flatMap((name) => listLostPoints(lhr, name)),
  };
}

function readItems(lhr: Result, audit: string): unknown {
  const details = lhr.audits[audit]?.details;
  return details && 'items' in details ? details.items : [];
}

function readScore(lhr: Result, category: string): number {
  return Math.round((lhr.categories[category]?.score ?? 0) * 100);
}

function listLostPoints(lhr: Result, category: string): string[] {
  const audits = lhr.categories[category]?.auditRefs.filter(({ weight }) => weight > 0) ?? [];
  return audits.flatMap(({ id }) => {
    const audit = lhr.audits[id];
    return audit?.score != null && audit.score < 0.9 ? [`${category}: ${audit.title} ${audit.displayValue ?? ''}`] : [];
  });
}

/** The scripts that the document names, the page's own script, and their imports. */
async function listRouteScripts(page: string, chunk: string, known: string[]): Promise<string[]> {
  const html = await (await fetch(server.url + page)).text();
  const named = [...html.matchAll(/<script [^>]*?src="([^"]+)"(?: data-start="([^"]+)")?/g)].flatMap(([, ...urls]) =>
    urls.flatMap((url) => (url ? new URL(url, server.url).href : [])),
  );
  const urls = new Set([...named, ...known.filter((url) => url.includes(`/${chunk}-`))]);
  for (const url of urls) {
    const code = await (await fetch(url)).text();
    for (const [, name = ''] of code.matchAll(/(?:from|import)\s*["'](\.\/[^"']+)["']/g))
      urls.add(new URL(name, url).href);
  }
  return [...urls];
}

async function countGzipBytes(urls: string[]): Promise<number> {
  let bytes = 0;
  for (const url of urls) {
    const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(headers.get('content-length'));
  }
  return bytes;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
