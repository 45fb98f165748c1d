/**
 * The line of batches. What the claim of the next row reads at 100 and at 1,000,000 waiting rows: PostgreSQL explains every
 * statement that it really sends. And how 10,000 rows of 200 accounts drain: no account gets a second row while another
 * that may run has had none, in every round. `ROWS=100000 npm run bench -- line` is a quicker run.
 */
import pg from 'pg';
import { claimRow } from '#api/services/batches/line.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import { startPrivatePostgres } from '#tests/support/private-postgres.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { reportFigure } from './figures.ts';
import { PlanLog } from './read-plans.ts';

const ROWS_OF_BATCH = 200;
const LARGE = Number(process.env.ROWS ?? 1_000_000);
const ACCOUNTS_DRAINED = 200;
const ROWS_DRAINED = 50;
/** An index of a million rows is deeper by one or two levels, and the claim searches nine. */
const BUDGET_PAGES = 15;
/** After so many runs PostgreSQL has one plan for all values of a statement. */
const WARM_UPS = 6;

/** PostgreSQL reads a table of a hundred rows whole, which says nothing about a million. */
const BY_INDEX = { enable_seqscan: 'off' };

const log = new PlanLog();
const postgres = await startPrivatePostgres({
  ...log.settings,
  shared_buffers: '512MB',
  max_wal_size: '4GB',
  ...BY_INDEX,
});
process.env.TEST_DATABASE_URL = postgres.url;
const fixture = await createTestApp({ env: { ROLES: 'api' } });
const { app, database } = fixture;
// Without the time limit of those that serve requests.
const filler = new pg.Client({ connectionString: database.databaseUrl });
await filler.connect();

/** Accounts with a running batch each, and so many rows that wait in it. Nothing else is in line. */
async function fillLine(accounts: number, rows: number): Promise<void> {
  await filler.query('delete from batch_lines');
  await filler.query('delete from batches');
  await filler.query(
    `with people as (
       insert into accounts (username, star_balance) select 'person', 0 from generate_series(1, $1::int) returning id
     ), made as (
       insert into batches (id, account_id, kind, name, status, settings, started_at)
       select gen_random_uuid(), id, 'video', 'Партия', 'running', '{}', now() from people returning id, account_id
     ), lines as (
       insert into batch_lines (account_id, kind, is_open) select account_id, 'video', true from made
     )
     insert into batch_rows (id, batch_id, position, stage, name, agreed_stars)
     select gen_random_uuid(), id, position, 'waiting', 'photo.jpg', 1
     from made, generate_series(0, $2::int - 1) as position`,
    [accounts, rows],
  );
  await filler.query('vacuum analyze');
}

/** The pages that one claim reads. */
async function readClaim(): Promise<number> {
  for (let run = 0; run < WARM_UPS; run++) await claimRow(app, GENERATION_KINDS);
  const isMeant = (text: string) => /batch|generations|accounts/.test(text);
  const statements = await log.read(() => claimRow(app, GENERATION_KINDS), isMeant);
  for (const { pages, text, plan } of statements) console.log(`${pages} pages: ${text.slice(0, 60)}: ${plan}`);
  return statements.reduce((sum, { pages }) => sum + pages, 0);
}

/** The most rows that one account got more than another that still had some, at any moment of the drain. */
async function drain(): Promise<number> {
  const served = new Map<number, number>();
  let widest = 0;
  for (;;) {
    const claim = await claimRow(app, GENERATION_KINDS);
    if (claim === 'again') continue;
    if (claim === null) break;
    await database.pool.query("update batch_rows set stage = 'started' where id = $1", [claim.row.id]);
    const count = (served.get(claim.accountId) ?? 0) + 1;
    served.set(claim.accountId, count);
    const least = served.size < ACCOUNTS_DRAINED ? 0 : Math.min(...served.values());
    widest = Math.max(widest, count - least);
  }
  const rows = [...served.values()].reduce((sum, count) => sum + count, 0);
  if (rows !== ACCOUNTS_DRAINED * ROWS_DRAINED) throw new Error(`${rows} rows were claimed`);
  return widest;
}

try {
  await log.connect(database.databaseUrl);
  await fillLine(1, 100);
  const small = await readClaim();
  await fillLine(LARGE / ROWS_OF_BATCH, ROWS_OF_BATCH);
  const large = await readClaim();
  console.log(`the claim of a row reads ${small} pages at 100 waiting rows and ${large} at ${LARGE}`);
  reportFigure({
    what: `further pages that the claim of a row reads at ${LARGE.toLocaleString('en')} waiting rows than at 100`,
    unit: 'pages',
    values: [large - small],
    budget: { atMost: BUDGET_PAGES },
  });
  await fillLine(ACCOUNTS_DRAINED, ROWS_DRAINED);
  reportFigure({
    what: 'most rows that an account was ahead of another while 10,000 rows of 200 accounts drained',
    unit: 'rows',
    values: [await drain()],
    budget: { atMost: 1 },
  });
} finally {
  await filler.end();
  await fixture.close();
  await log.remove();
  await postgres.stop();
}
