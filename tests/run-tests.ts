// `npm test`: unit and API tests on the embedded database, what touches the database once more on PostgreSQL where one
// can be had, then the browser tests. The last line sums all of it up. With the name of a slow project of
// browser tests (see tests/e2e/playwright.config.ts) that one is run and nothing else.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { prepare } from '#api/commands/prepare.ts';
import { findBrowser } from './support/find-browser.ts';
import { findPostgresBinaries, startPrivatePostgres } from './support/private-postgres.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PLAYWRIGHT_CONFIG = 'tests/e2e/playwright.config.ts';

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

prepare({ pwa: true });
const reports = mkdtempSync(path.join(tmpdir(), 'podium-reports-'));
const tallies: Tally[] = [];
/** Said once more at the end, where they are not lost among thousands of lines. */
const complaints: string[] = [];
try {
  const slowProject = process.argv[2];
  if (slowProject) {
    tallies.push(runPlaywright([slowProject]));
  } else {
    tallies.push(runVitest('embedded', [], { TEST_DATABASE_URL: '' }));
    tallies.push(await runOnPostgres());
    tallies.push(runPlaywright(['desktop', 'phone']));
  }
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
if (complaints.length > 0) console.log(`\n— failed, or passed late\n${complaints.join('\n')}`);
console.log(`\n${passed} passed, ${failed} failed`);

async function runOnPostgres(): Promise<Tally> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return runVitest('postgres', ['--project', 'database'], { TEST_DATABASE_URL: given });
  const binaries = findPostgresBinaries();
  if (!binaries) {
    console.log('\nNo PostgreSQL here (no TEST_DATABASE_URL, no initdb): the tests ran on the embedded database only.');
    return { passed: 0, failed: 0 };
  }
  const server = await startPrivatePostgres(binaries);
  try {
    return runVitest('postgres', ['--project', 'database'], { TEST_DATABASE_URL: server.url });
  } finally {
    await server.stop();
  }
}

function runVitest(name: string, args: string[], env: Record<string, string>): Tally {
  console.log(`\n— vitest, ${name} database`);
  const file = path.join(reports, `${name}.json`);
  const status = run(
    'vitest',
    [
      'run',
      '--config',
      'vite.config.ts',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ],
    env,
  );
  const report = vitestReport.safeParse(readReport(file));
  for (const { name: testFile, message, assertionResults } of report.data?.testResults ?? []) {
    const title = `${path.relative(ROOT, testFile)} (${name} database)`;
    if (message) complaints.push(`${title}: ${firstLines(message)}`);
    for (const { fullName, status: outcome, failureMessages } of assertionResults) {
      if (failureMessages.length === 0) continue;
      const how = outcome === 'passed' ? 'passed on the second try after ' : '';
      complaints.push(`${title} > ${fullName}: ${how}${firstLines(failureMessages.join('\n'))}`);
    }
  }
  return count(status, report.data && { passed: report.data.numPassedTests, failed: report.data.numFailedTests });
}

function runPlaywright(projects: string[]): Tally {
  console.log('\n— browser tests');
  const file = path.join(reports, 'playwright.json');
  const chosen = projects.map((name) => `--project=${name}`);
  const status = run('playwright', ['test', '--config', PLAYWRIGHT_CONFIG, '--reporter=list,json', ...chosen], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    BROWSER_PATH: findBrowser() ?? '',
  });
  const report = playwrightReport.safeParse(readReport(file));
  for (const { title, file: testFile, tests } of report.data?.suites.flatMap(listSpecs) ?? []) {
    for (const { projectName, status: outcome } of tests) {
      const name = `${testFile} (${projectName}) > ${title}`;
      if (outcome === 'unexpected') complaints.push(name);
      if (outcome === 'flaky') complaints.push(`${name}: passed on the second try`);
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

/** A run that failed without a failed test (it did not compile, it crashed) counts as one failure. */
function count(status: number | null, tally: Tally | undefined): Tally {
  const { passed, failed } = tally ?? { passed: 0, failed: 0 };
  return { passed, failed: failed === 0 && status !== 0 ? 1 : failed };
}

function run(binary: string, args: string[], env: Record<string, string>): number | null {
  const command = path.join(ROOT, 'node_modules/.bin', binary);
  return spawnSync(command, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test', ...env } })
    .status;
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
