// `npm test`: unit tests, database tests, tests of the whole program, then browser tests. If PostgreSQL is available,
// the database tests run on it, and only those that depend on the embedded database run there as well. The last line
// has the totals. Given the name of a slow part (see SLOW_PARTS), only that part runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from '#api/commands/prepare.ts';
import { findBrowser } from './support/find-browser.ts';
import { findPostgresBinaries, startPrivatePostgres } from './support/private-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PLAYWRIGHT_CONFIG = 'tests/e2e/playwright.config.ts';
const ENGINES_CONFIG = 'tests/e2e/engines/playwright.config.ts';

interface Tally {
  passed: number;
  failed: number;
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});
const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(z.object({ projectName: z.string(), status: z.string() })),
});
interface PlaywrightSuite {
  specs: z.infer<typeof playwrightSpec>[];
  suites?: PlaywrightSuite[] | undefined;
}
const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({ specs: z.array(playwrightSpec), suites: z.array(playwrightSuite).optional() }),
);
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(playwrightSuite),
});

/** Parts that take many minutes, from vite.config.ts or the browser tests. `npm run test:<name>` runs one. */
const SLOW_PARTS: Record<string, () => Promise<Tally>> = {
  crash: () => runVitest(['crash']),
  faults: () => runVitest(['faults'], { printsPlainly: true }),
  installed: () => runPlaywright(['installed'], { wholeBrowser: true }),
  accessibility: () => runPlaywright(['accessibility']),
  engines: () => runPlaywright([], { config: ENGINES_CONFIG }),
};

prepare({ pwa: true });
const reports = mkdtempSync(path.join(tmpdir(), 'podium-reports-'));
const tallies: Tally[] = [];
/** Printed again at the end, where they are easy to find. */
const failures: string[] = [];
const late: string[] = [];
try {
  const part = process.argv[2];
  if (part) {
    const run = SLOW_PARTS[part];
    if (!run) throw new Error(`There is no part ${part}, but ${Object.keys(SLOW_PARTS).join(', ')}.`);
    tallies.push(await run());
  } else {
    tallies.push(...(await runWithoutBrowser()));
    tallies.push(await runPlaywright(['desktop', 'phone']));
  }
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
if (failures.length > 0) console.log(`\n— failed\n${failures.join('\n')}`);
if (late.length > 0) console.log(`\n— passed on the second try\n${late.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);

/** Tests with a database or with whole programs wait half of the time. Those without compute beside them. */
async function runWithoutBrowser(): Promise<Tally[]> {
  const given = process.env.TEST_DATABASE_URL;
  const binaries = given ? null : findPostgresBinaries();
  const server = binaries ? await startPrivatePostgres(binaries) : null;
  const url = given || server?.url;
  if (!url)
    console.log('\nNo PostgreSQL here (no TEST_DATABASE_URL, no initdb): all tests run on the embedded database.');
  const withDatabase = ['database', ...(url ? ['embedded'] : []), 'program'];
  try {
    return await Promise.all([
      runVitest(withDatabase, { env: { TEST_DATABASE_URL: url ?? '' } }),
      runVitest(['unit', 'isolated'], { isBeside: true }),
    ]);
  } finally {
    await server?.stop();
  }
}

interface VitestRun {
  env?: Record<string, string>;
  /** Whether another run has the terminal. Then it takes one worker for each core, and its output comes at its end. */
  isBeside?: boolean;
  /** Whether what the tests print is shown as it is, without the names of test and stream. */
  printsPlainly?: boolean;
}

async function runVitest(
  projects: string[],
  { env = {}, isBeside = false, printsPlainly = false }: VitestRun = {},
): Promise<Tally> {
  console.log(`\n— vitest: ${projects.join(', ')}`);
  const file = path.join(reports, `vitest-${projects[0]}.json`);
  const args = [
    ...['run', '--config', 'vite.config.ts'],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    ...(printsPlainly ? ['--disable-console-intercept'] : []),
    ...(isBeside ? [`--maxWorkers=${availableParallelism()}`] : []),
    ...projects.map((name) => `--project=${name}`),
  ];
  const status = await run('vitest', args, { env, isBeside });
  const report = vitestReport.safeParse(readReport(file));
  for (const { name: testFile, message, assertionResults } of report.data?.testResults ?? []) {
    const title = path.relative(ROOT, testFile);
    if (message) failures.push(`${title}: ${firstLines(message)}`);
    for (const { fullName, status: outcome, failureMessages } of assertionResults) {
      if (failureMessages.length === 0) continue;
      const list = outcome === 'passed' ? late : failures;
      list.push(`${title} > ${fullName}: ${firstLines(failureMessages.join('\n'))}`);
    }
  }
  return count(status, report.data && { passed: report.data.numPassedTests, failed: report.data.numFailedTests });
}

interface BrowserRun {
  config?: string;
  /** Whether it needs the whole browser, and not only its headless part. */
  wholeBrowser?: boolean;
}

/** Runs these projects of a configuration, or all when none is named. */
async function runPlaywright(
  projects: string[],
  { config = PLAYWRIGHT_CONFIG, wholeBrowser = false }: BrowserRun = {},
): Promise<Tally> {
  console.log('\n— browser tests');
  const file = path.join(reports, 'playwright.json');
  const chosen = projects.map((name) => `--project=${name}`);
  const status = await run('playwright', ['test', '--config', config, '--reporter=list,json', ...chosen], {
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, BROWSER_PATH: findBrowser({ whole: wholeBrowser }) ?? '' },
  });
  const report = playwrightReport.safeParse(readReport(file));
  for (const { title, file: testFile, tests } of report.data?.suites.flatMap(listSpecs) ?? []) {
    for (const { projectName, status: outcome } of tests) {
      const name = `${testFile} (${projectName}) > ${title}`;
      if (outcome === 'unexpected') failures.push(name);
      if (outcome === 'flaky') late.push(name);
    }
  }
  const stats = report.data?.stats;
  return count(status, stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected });
}

function listSpecs({ specs, suites = [] }: PlaywrightSuite): PlaywrightSuite['specs'] {
  return [...specs, ...suites.flatMap(listSpecs)];
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 4).join('\n    ');
}

/** A run that failed without a failed test, for example because it crashed, counts as one failure. */
function count(status: number | null, tally: Tally | undefined): Tally {
  const { passed, failed } = tally ?? { passed: 0, failed: 0 };
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed };
}

async function run(binary: string, args: string[], { env = {}, isBeside = false }: VitestRun): Promise<number | null> {
  const child = spawn(path.join(ROOT, 'node_modules/.bin', binary), args, {
    cwd: ROOT,
    stdio: isBeside ? 'pipe' : 'inherit',
    env: { ...process.env, NODE_ENV: 'test', ...env },
  });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  process.stdout.write(output);
  return status;
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
