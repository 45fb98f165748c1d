// `npm test`: unit tests, database tests, tests of the whole program, then browser tests. If PostgreSQL is available,
// the database tests run on it, and only those that depend on the embedded database run there as well. What takes longer
// is in `tests/slow`.
import { prepare } from '#api/commands/prepare.ts';
import { findPostgresBinaries, startPrivatePostgres } from './support/private-postgres.ts';
import { printSummary, runPlaywright, runVitest, type TestReport } from './test-runs.ts';

prepare({ pwa: true });
const given = process.env.TEST_DATABASE_URL;
const startsOwn = !given && findPostgresBinaries() !== null;
const hasPostgres = Boolean(given) || startsOwn;
const reports = [...(await runWithoutBrowser()), await runPlaywright(['desktop', 'phone'])];
printSummary(
  reports,
  hasPostgres
    ? []
    : ['Not tried: PostgreSQL (no TEST_DATABASE_URL, no initdb). All tests ran on the embedded database.'],
);

/** Tests with a database or with whole programs wait half of the time. Those without compute beside them. */
async function runWithoutBrowser(): Promise<TestReport[]> {
  const server = startsOwn ? await startPrivatePostgres() : null;
  const withDatabase = ['database', ...(hasPostgres ? ['embedded'] : []), 'program'];
  try {
    return await Promise.all([
      runVitest(withDatabase, { env: { TEST_DATABASE_URL: given || server?.url || '' } }),
      runVitest(['unit', 'isolated'], { isBeside: true }),
    ]);
  } finally {
    await server?.stop();
  }
}
