// Runs Vitest and Playwright as processes of their own and reads their reports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JSONReport, JSONReportSpec, JSONReportSuite } from 'playwright/types/testReporter';
import { findBrowser } from './support/find-browser.ts';
import type { TestReport } from './test-reporter.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** A cache of compiled modules that all processes of all runs share. */
const COMPILED = path.join(ROOT, '.cache/compiled');
const PLAYWRIGHT_CONFIG = 'tests/e2e/playwright.config.ts';

interface VitestRun {
  env?: Record<string, string>;
  /** Whether what the tests print is shown as it is, without the names of test and stream. */
  printsPlainly?: boolean;
}

/** Runs these projects of `vite.config.ts`. */
export async function runVitest(
  projects: string[],
  { env = {}, printsPlainly = false }: VitestRun = {},
): Promise<TestReport> {
  console.log(`\n— vitest: ${projects.join(', ')}`);
  const file = createReportFile();
  const args = [
    'run',
    '--config',
    'vite.config.ts',
    '--reporter=default',
    `--reporter=${path.join(ROOT, 'tests/test-reporter.ts')}`,
    ...(printsPlainly ? ['--disable-console-intercept'] : []),
    ...projects.map((name) => `--project=${name}`),
  ];
  const status = await run('vitest', args, { ...env, TEST_REPORT: file });
  return withCrash(readReport<TestReport>(file), `vitest ${projects.join(', ')}`, status);
}

interface BrowserRun {
  config?: string;
  /** Whether it needs the whole browser, and not only its headless part. */
  wholeBrowser?: boolean;
}

/** Runs these projects of a configuration, or all when none is named. */
export async function runPlaywright(
  projects: string[],
  { config = PLAYWRIGHT_CONFIG, wholeBrowser = false }: BrowserRun = {},
): Promise<TestReport> {
  console.log('\n— browser tests');
  const file = createReportFile();
  const args = ['test', '--config', config, '--reporter=list,json', ...projects.map((name) => `--project=${name}`)];
  const status = await run('playwright', args, {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    BROWSER_PATH: findBrowser({ whole: wholeBrowser }) ?? '',
  });
  const read = readReport<JSONReport>(file);
  return withCrash(read && countBrowserTests(read), 'browser tests', status);
}

function countBrowserTests({ suites }: JSONReport): TestReport {
  const report: TestReport = { passed: 0, failed: [], late: [], skipped: [] };
  for (const { title, file: testFile, tests } of suites.flatMap(listSpecs)) {
    for (const { projectName, status: outcome } of tests) {
      const test = `${testFile} (${projectName}) > ${title}`;
      if (outcome === 'expected' || outcome === 'flaky') report.passed += 1;
      else if (outcome === 'unexpected') report.failed.push(test);
      else report.skipped.push(test);
      if (outcome === 'flaky') report.late.push(test);
    }
  }
  return report;
}

/** Prints what failed, what was late and what was not tried, and as the last line «N passed, N failed». */
export function printSummary(reports: readonly TestReport[], notTried: readonly string[] = []): void {
  const passed = reports.reduce((sum, report) => sum + report.passed, 0);
  const failed = reports.flatMap((report) => report.failed);
  const late = reports.flatMap((report) => report.late);
  const skipped = reports.flatMap((report) => report.skipped);
  if (failed.length > 0) console.log(`\n— failed\n${failed.join('\n')}`);
  if (late.length > 0) console.log(`\n— passed on the second try\n${late.join('\n')}`);
  if (skipped.length > 0) console.log(`\n— skipped\n${skipped.join('\n')}`);
  console.log(['', `${skipped.length} skipped`, ...notTried, `${passed} passed, ${failed.length} failed`].join('\n'));
  process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0;
}

/** A run that failed without a failed test, or whose report cannot be read, counts as one failure. */
function withCrash(read: TestReport | undefined, name: string, status: number | null): TestReport {
  const report = read ?? { passed: 0, failed: [], late: [], skipped: [] };
  if (!read) report.failed.push(`${name}: ended with ${status} and without a readable report`);
  else if (status !== 0 && report.failed.length === 0)
    report.failed.push(`${name}: ended with ${status}, its output says why`);
  return report;
}

function listSpecs({ specs, suites = [] }: JSONReportSuite): JSONReportSpec[] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

async function run(binary: string, args: string[], env: Record<string, string>): Promise<number | null> {
  const child = spawn(path.join(ROOT, 'node_modules/.bin', binary), args, {
    cwd: ROOT,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, NODE_ENV: 'test', ...env },
  });
  const [status] = await once(child, 'close');
  return status;
}

function createReportFile(): string {
  return path.join(mkdtempSync(path.join(tmpdir(), 'podium-report-')), 'report.json');
}

/** Reads and removes a report. Undefined when there is none, or only a part of one. */
function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  } finally {
    rmSync(path.dirname(file), { recursive: true });
  }
}
