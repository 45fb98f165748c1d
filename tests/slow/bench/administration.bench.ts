/**
 * Measures every call of the administrators' panel at 200,000 accounts on PostgreSQL, from request to answer. The budget
 * is for the slowest; the others are printed. `ACCOUNTS=20000 npm run bench -- administration` is a quicker run.
 */

import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { createAdmin } from '#tests/support/users.ts';
import { median, reportFigure, round } from './figures.ts';
import { growAccounts } from './grow-accounts.ts';

const ACCOUNTS = Number(process.env.ACCOUNTS ?? 200_000);
const BUDGET_MS = 1_000;
const WARM_UPS = 2;
const ROUNDS = 7;
const DAY_MS = 86_400_000;

/** What the panel asks for lists, and how many have what is searched: many, few, one or nobody. */
const LISTS = [
  '/api/admin/users',
  '/api/admin/payments',
  '/api/admin/payments?status=pending',
  '/api/admin/payments?status=succeeded',
  '/api/admin/payments?status=canceled',
  '/api/admin/reports?status=closed',
  '/api/admin/interview-requests',
  '/api/admin/audit',
];
const OTHERS = [
  '/api/admin/payments?accountId=100107',
  '/api/admin/users/100107/stars',
  '/api/admin/reports?status=open',
  '/api/admin/open-report-count',
  '/api/admin/engines',
];
const NEEDLES = ['mail', 'brand.ru', 'шульга', 'ши', 'ан', 'щ', '7', 'анна1001', 'tg_ab', '100123', 'nobody@x'];
const FIGURES = ['', '/daily', '/daily.csv', '/engines', '/engines.csv'];

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

/** The first and the second page of every list. `read` answers a call. */
async function listListCalls(read: (path: string) => Promise<string>): Promise<string[]> {
  const following: string[] = [];
  for (const list of LISTS) {
    const { nextCursor } = JSON.parse(await read(list)) as { nextCursor: string | null };
    if (nextCursor) following.push(`${list}${list.includes('?') ? '&' : '?'}cursor=${nextCursor}`);
  }
  return [...LISTS, ...following, ...OTHERS];
}

function listSearchCalls(): string[] {
  return NEEDLES.map((needle) => `/api/admin/users?search=${encodeURIComponent(needle)}`);
}

/** The figures of all time, the last day, month and year, and of what was before. */
function listFigureCalls(): string[] {
  const [day, month, year] = [1, 30, 365].map((days) =>
    new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10),
  );
  const periods = ['', `?startDate=${day}`, `?startDate=${month}`, `?startDate=${year}`, `?endDate=${year}`];
  return FIGURES.flatMap((figures) => periods.map((period) => `/api/analytics${figures}${period}`));
}
