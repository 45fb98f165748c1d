// `npm run test:slow -- <name> …`: runs one of the suites that take too long for `npm test`. What follows the name goes
// to the suite. Without a name it lists them.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import path from 'node:path';
import { prepare } from '#api/commands/prepare.ts';
import type { TestReport } from '#tests/test-reporter.ts';
import { printSummary, runPlaywright, runVitest } from '#tests/test-runs.ts';

interface SlowSuite {
  /** Besides the installed packages. */
  needs: string;
  /** On two idle cores. */
  takes: string;
  run: (args: string[]) => Promise<void> | void;
}

/** `README.md` beside this file says what each of them proves. */
const SUITES: Record<string, SlowSuite> = {
  abuse: { needs: 'PostgreSQL', takes: '3 minutes', run: counted(() => runVitest(['abuse'])) },
  accessibility: { needs: 'Chromium', takes: '10 minutes', run: counted(() => runPlaywright(['accessibility'])) },
  'batch-day': {
    needs: 'Chromium',
    takes: '6 minutes',
    run: counted(() => runPlaywright([], { config: 'tests/slow/batch-day/playwright.config.ts' })),
  },
  bench: { needs: 'PostgreSQL, nginx, Chromium', takes: '15 minutes', run: program('bench/run-benches.ts') },
  crash: { needs: 'nothing', takes: '15 minutes', run: counted(() => runVitest(['crash'])) },
  'engine-chaos': { needs: 'nothing', takes: '10 minutes', run: counted(() => runVitest(['engine-chaos'])) },
  engines: {
    needs: 'Chromium',
    takes: '10 minutes',
    run: counted(() => runPlaywright([], { config: 'tests/slow/engines/playwright.config.ts' })),
  },
  faults: {
    needs: 'PostgreSQL',
    takes: '15 minutes',
    run: counted(() => runVitest(['faults'], { printsPlainly: true })),
  },
  fuzz: { needs: 'nothing', takes: '5 minutes', run: program('fuzz/fuzz.ts') },
  garment: { needs: 'nothing', takes: '5 minutes', run: program('garment/garment-check.ts') },
  installed: {
    needs: 'the whole Chromium',
    takes: '10 minutes',
    run: counted(() => runPlaywright(['installed'], { wholeBrowser: true })),
  },
  memory: { needs: 'Linux', takes: '25 minutes', run: program('memory/memory.ts') },
  pixels: { needs: 'nothing', takes: '1 minute', run: counted(() => runVitest(['pixels'])) },
  production: {
    needs: 'npm and its registry; PostgreSQL, nginx and promtool for a part',
    takes: '10 minutes',
    run: () => runProgram('--test', '--test-concurrency=1', ...globSync('tests/slow/production/*.ts')),
  },
  soak: { needs: 'PostgreSQL', takes: '12 minutes', run: program('soak/soak.ts') },
};

const [name = '', ...args] = process.argv.slice(2);
const suite = Object.hasOwn(SUITES, name) ? SUITES[name] : undefined;
if (suite) {
  prepare({ pwa: true });
  await suite.run(args);
} else {
  if (name) console.error(`There is no slow suite «${name}».`);
  console.log('npm run test:slow -- <name>');
  for (const [each, { needs, takes }] of Object.entries(SUITES)) {
    console.log(`  ${each.padEnd(14)} ${takes.padEnd(11)} needs ${needs}`);
  }
  process.exitCode = name ? 1 : 0;
}

/** A suite that is a program: it prints its own verdict, and its exit code is the suite's. */
function program(file: string): SlowSuite['run'] {
  return (args) => runProgram(path.join('tests/slow', file), ...args);
}

function runProgram(...args: string[]): void {
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

/** A suite of tests, which are counted as by `npm test`. */
function counted(run: () => Promise<TestReport>): SlowSuite['run'] {
  return async () => printSummary([await run()]);
}
