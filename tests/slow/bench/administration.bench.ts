/**
 * Measures every call of the administrators' panel at 200,000 accounts on PostgreSQL, from request to answer. The budget
 * is for the slowest; the others are printed. `ACCOUNTS=20000 npm run bench -- administration` is a quicker run.
 */
import { createAdmin } from '#tests/support/people.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { listFigureCalls, listListCalls, listSearchCalls } from './administration-calls.ts';
import { median, reportFigure, round } from './figures.ts';
import { growAccounts } from './grow-accounts.ts';

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 200_000);
const BUDGET_MS = 1_000;
const WARM_UPS = 2;
const ROUNDS = 7;

const postgres = await startPrivatePostgres({
  shared_buffers: '512MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
});
process.env.TEST_DATABASE_URL = postgres.url;
const testApp = await createTestApp({ env: { ROLES: 'api' } });
try {
  const { cookie } = await createAdmin(testApp);
  await growAccounts(testApp.database.databaseUrl, 0, ACCOUNTS);
  const ask = async (url: string) => {
    const { statusCode, body } = await testApp.server.inject({ url, headers: { cookie } });
    if (statusCode !== 200) throw new Error(`GET ${url}: ${statusCode} ${body}`);
    return body;
  };
  const calls = [...listFigureCalls(), ...(await listListCalls(ask)), ...listSearchCalls()];
  const times: { url: string; values: number[] }[] = [];
  for (const url of calls) {
    const values: number[] = [];
    for (let count = -WARM_UPS; count < ROUNDS; count++) {
      const begun = performance.now();
      await ask(url);
      if (count >= 0) values.push(performance.now() - begun);
    }
    times.push({ url, values });
  }
  times.sort((a, b) => median(b.values) - median(a.values));
  for (const { url, values } of times) console.log(`${decodeURI(url)}: ${round(median(values))} ms`);
  const [slowest = { url: '', values: [] }] = times;
  reportFigure({
    what: `slowest of ${times.length} administrators’ calls at ${ACCOUNTS} accounts (${slowest.url})`,
    unit: 'ms',
    values: slowest.values,
    budget: { atMost: BUDGET_MS },
  });
} finally {
  await testApp.close();
  await postgres.stop();
}
