// `npm test`: unit tests, database tests, tests of the whole program, then browser tests. If PostgreSQL is available,
// the database tests run on it, and only those that depend on the embedded database run there as well. What takes longer
// is in `tests/slow`.
import { prepare } from '#api/commands/prepare.ts';
import { findPostgresBinaries, startPrivatePostgres } from './support/private-postgres.ts';
import { hasNginx } from './support/start-nginx.ts';
import { hasPgbouncer } from './support/start-pgbouncer.ts';
import type { TestReport } from './test-reporter.ts';
import { printSummary, runPlaywright, runVitest } from './test-runs.ts';

prepare({ pwa: true });
const given = process.env.TEST_DATABASE_URL;
const startsOwn = !given && findPostgresBinaries() !== null;
const hasPostgres = Boolean(given) || startsOwn;
/** Other programs that some tests need, as they are installed. */
const NEEDED = [
  {
    isThere: hasPostgres,
    name: 'PostgreSQL',
    without: 'no TEST_DATABASE_URL, no initdb: all ran on the embedded database',
  },
  { isThere: hasNginx, name: 'nginx', without: 'apt-get install nginx-light' },
  { isThere: hasPgbouncer, name: 'PgBouncer', without: 'apt-get install pgbouncer' },
];
const reports = [await runWithoutBrowser(), await runPlaywright(['desktop', 'phone'])];
printSummary(
  reports,
  NEEDED.filter(({ isThere }) => !isThere).map(({ name, without }) => `Not tried: ${name} (${without}).`),
);

async function runWithoutBrowser(): Promise<TestReport> {
  const server = startsOwn ? await startPrivatePostgres() : null;
  try {
    // One run for all projects: a worker that waits for a database leaves its core to one that computes.
    const projects = ['database', ...(hasPostgres ? ['embedded'] : []), 'unit', 'isolated', 'screens', 'program'];
    return await runVitest(projects, { env: { TEST_DATABASE_URL: given || server?.url || '' } });
  } finally {
    await server?.stop();
  }
}
