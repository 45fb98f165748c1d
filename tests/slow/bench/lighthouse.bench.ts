// Lighthouse as a phone: how soon the landing is there, and the scores of the pages that visitors open first. The
// program runs as with `npm start`.
import lighthouse, { type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { findFreePort } from '#tests/support/find-free-port.ts';
import { startServer } from '#tests/support/running-server.ts';
import { BROWSER } from './browser-fixture.ts';
import { reportFigure } from './figures.ts';

const LANDING = '/';
const ROUNDS = 3;
/** Opened once each. */
const OTHER_PAGES = ['/auth', '/cases'];
const LANDING_BUDGETS = [
  { audit: 'largest-contentful-paint', name: 'LCP', unit: 'ms', atMost: 1600 },
  { audit: 'total-blocking-time', name: 'TBT', unit: 'ms', atMost: 50 },
  { audit: 'cumulative-layout-shift', name: 'CLS', unit: '', atMost: 0.01 },
];
const SCORE_BUDGETS = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 };
const CATEGORIES = Object.keys(SCORE_BUDGETS) as (keyof typeof SCORE_BUDGETS)[];

const server = await startServer({ env: { LOG_LEVEL: 'warn' } });
const debuggingPort = await findFreePort();
const browser = await chromium.launch({
  ...BROWSER,
  args: [...(BROWSER.args ?? []), `--remote-debugging-port=${debuggingPort}`],
});
try {
  const landing: Result[] = [];
  // The first request for a page renders its document.
  await fetch(server.url + LANDING);
  for (let round = 0; round < ROUNDS; round++) landing.push(await measure(LANDING));
  const pages = new Map([[LANDING, landing]]);
  for (const page of OTHER_PAGES) pages.set(page, [await measure(page)]);

  for (const { audit, name, unit, atMost } of LANDING_BUDGETS) {
    const values = landing.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN);
    reportFigure({ what: `landing as a phone, ${name}`, unit, values, budget: { atMost } });
  }
  for (const [page, results] of pages) {
    for (const category of CATEGORIES) {
      const values = results.map((result) => readScore(result, category));
      const what = `Lighthouse, ${category} of ${page}`;
      reportFigure({ what, unit: 'points', values, budget: { atLeast: SCORE_BUDGETS[category] } });
    }
  }
  for (const complaint of new Set([...pages.values()].flat().flatMap(listLostPoints))) console.log(`  ${complaint}`);
} finally {
  await browser.close();
  await server.stop();
}

async function measure(page: string): Promise<Result> {
  const answer = await lighthouse(server.url + page, {
    port: debuggingPort,
    output: 'json',
    logLevel: 'error',
    onlyCategories: CATEGORIES,
  });
  if (!answer || answer.lhr.runtimeError) throw new Error(`Lighthouse: ${answer?.lhr.runtimeError?.message}`);
  return answer.lhr;
}

function readScore({ categories }: Result, category: string): number {
  return Math.round((categories[category]?.score ?? 0) * 100);
}

/** Failed audits of the categories that must have all points. */
function listLostPoints({ categories, audits, requestedUrl }: Result): string[] {
  return CATEGORIES.filter((category) => SCORE_BUDGETS[category] === 100).flatMap((category) => {
    const weighty = categories[category]?.auditRefs.filter(({ weight }) => weight > 0) ?? [];
    const failed = weighty.map(({ id }) => audits[id]).filter((audit) => audit?.score != null && audit.score < 0.9);
    return failed.map((audit) => `${requestedUrl}, ${category}: ${audit?.title} ${audit?.displayValue ?? ''}`);
  });
}
