import type pg from 'pg';
import { readTotal } from '#api/config/connections.ts';
import { type Db, findNewerMigrations, findPendingMigrations } from '#api/database/database.ts';
import { isBehindPooler } from '#api/database/session.ts';
import { countFailedJobs, measureQueue } from '#api/queue/pg-boss-internals.ts';
import { QUEUE_SCHEMA } from '#api/queue/queue.ts';
import { readBooks } from '#api/services/administration/books.ts';
import { failed, ok, type Verdict, warning } from './finding.ts';

const MEGABYTE = 1024 * 1024;
const LONG_WAIT_SECONDS = 10 * 60;
/** Workers look after the queue every few seconds. */
const WORKER_SILENT_SECONDS = 60;
const CLOCK_WARNING_MS = 2_000;
const CLOCK_FAILURE_MS = 60_000;

type Pool = Pick<pg.Pool, 'query'>;

/** The server and those of its settings that matter. `databaseUrl` is undefined for the embedded database. */
export async function checkDatabase(pool: Pool, databaseUrl: string | undefined): Promise<Verdict[]> {
  const { rows } = await pool.query<{
    version: string;
    encoding: string;
    bytes: string;
    fsync: string;
    commit: string;
    isReadOnly: boolean;
  }>(`select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      pg_database_size(current_database())::text as bytes, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as commit, pg_is_in_recovery() as "isReadOnly"`);
  const [server] = rows;
  if (!server) throw new Error('the server describes itself with no row');
  const size = `${Math.ceil(Number(server.bytes) / MEGABYTE)} MB`;
  if (!databaseUrl) {
    return [
      ok(`embedded PGlite (PostgreSQL ${server.version}), ${size}`),
      warning('the embedded database does not survive a loss of power; serve people from PostgreSQL (DATABASE_URL)'),
    ];
  }
  const verdicts: Verdict[] = [
    ok(`PostgreSQL ${server.version}, ${size}`),
    await checkConnections(pool, await isBehindPooler(databaseUrl)),
  ];
  if (server.isReadOnly)
    verdicts.push(failed('it is a standby that takes no writes. Name the primary in DATABASE_URL'));
  if (server.encoding !== 'UTF8') {
    verdicts.push(
      failed(`its encoding is ${server.encoding}. Make a database with ENCODING 'UTF8' and restore into it`),
    );
  }
  if (server.fsync !== 'on') verdicts.push(failed('fsync is off: a crash of the machine loses data. Set fsync = on'));
  if (server.commit === 'off') {
    verdicts.push(warning('synchronous_commit is off: a crash loses the last payments. Set synchronous_commit = on'));
  }
  return verdicts;
}

/**
 * Adds up what the processes that run now may take. Each of them holds connections that name its number. A pooler keeps
 * connections of processes that have ended, so behind one they are only counted as its own.
 */
async function checkConnections(pool: Pool, isPooled: boolean): Promise<Verdict> {
  // `reserved_connections` is of PostgreSQL 16.
  const { rows } = await pool.query<{ max: number; reserved: number; names: string[] }>(`
    select current_setting('max_connections')::int as max,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
      coalesce(array_agg(application_name), '{}') as names
    from pg_stat_activity where datid is not null and application_name <> current_setting('application_name')`);
  const { max = 0, reserved = 0, names = [] } = rows[0] ?? {};
  if (isPooled) {
    const facts = `behind a pooler: it and others hold ${names.length} of the ${max - reserved} connections of the server`;
    return ok(`${facts}. How many Podium may take is the pooler's own setting (pool_size)`);
  }
  const totals = [...new Set(names)].map(readTotal).filter((total) => total !== null);
  const ours = totals.reduce((sum, total) => sum + total, 0);
  const others = names.filter((name) => readTotal(name) === null).length;
  const facts = `${totals.length} processes of Podium take at most ${ours} connections, others hold ${others}, the server has ${max - reserved}`;
  if (ours + others <= max - reserved) return ok(facts);
  return warning(
    `${facts}. Raise max_connections to ${ours + others + reserved} or more, lower DATABASE_POOL, or run fewer processes`,
  );
}

export async function checkMigrations(pool: Pool): Promise<Verdict> {
  const { rows } = await pool.query<{ name: string }>(
    `select migration_name as name from _prisma_migrations where finished_at is null and rolled_back_at is null`,
  );
  if (rows.length > 0) {
    return failed(
      `${rows.map(({ name }) => name).join(', ')} failed. Look at the log of that start, mend it, start again`,
    );
  }
  const pending = await findPendingMigrations(pool);
  if (pending === null || pending.length > 0) {
    return failed(`not applied: ${pending?.join(', ') ?? 'all'}. npm start or npm run db:migrate applies them`);
  }
  const newer = await findNewerMigrations(pool);
  if (newer.length > 0) {
    return warning(
      `a newer version has used this database (${newer.join(', ')}). Fine during a rollback, else upgrade`,
    );
  }
  return ok('all applied');
}

export async function checkQueue(pool: Pool): Promise<Verdict[]> {
  const { waiting, workerSeenSecondsAgo } = await measureQueue(pool, QUEUE_SCHEMA);
  const count = waiting.reduce((sum, job) => sum + job.count, 0);
  const verdicts = [ok(`${count} jobs wait`)];
  for (const { job, oldestSeconds } of waiting) {
    if (oldestSeconds < LONG_WAIT_SECONDS) continue;
    verdicts.push(
      warning(`${job}: the oldest job waits for ${Math.round(oldestSeconds / 60)} minutes. Are there enough workers?`),
    );
  }
  if (workerSeenSecondsAgo === null || workerSeenSecondsAgo > WORKER_SILENT_SECONDS) {
    const since = workerSeenSecondsAgo === null ? 'ever' : `for ${Math.round(workerSeenSecondsAgo / 60)} minutes`;
    verdicts.push(warning(`no worker has looked after the queue ${since}. Start a process with the role worker`));
  }
  for (const { job, failures } of await countFailedJobs(pool, QUEUE_SCHEMA)) {
    verdicts.push(
      warning(`${job}: ${failures} failed for good within a day. The log of the worker says why («a job failed»)`),
    );
  }
  return verdicts;
}

/** Compares the clocks of this machine and of the database. */
export async function checkClock(db: Pick<Db, '$transaction'>): Promise<Verdict> {
  // The wait for a connection does not count, so the question is asked when there is one.
  const offMs = await db.$transaction(async (tx) => {
    const before = Date.now();
    const [row] = await tx.$queryRaw<{ now: number }[]>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
    const after = Date.now();
    if (!row) throw new Error('the server tells the time with no row');
    // It was answered between both readings, so only what is outside of them is a difference.
    return Math.round(Math.max(0, before - row.now, row.now - after));
  });
  const advice = 'Let both machines take the time from the network (NTP)';
  if (offMs > CLOCK_FAILURE_MS)
    return failed(`it differs from the database's by ${Math.round(offMs / 1000)} s. ${advice}`);
  if (offMs > CLOCK_WARNING_MS) return warning(`it differs from the database's by ${offMs} ms. ${advice}`);
  return ok(`as the database's`);
}

export async function checkBooks(app: Parameters<typeof readBooks>[0]): Promise<Verdict> {
  const { discrepancies, stars } = await readBooks(app);
  return discrepancies.length === 0
    ? ok(`they agree; ${stars.outstanding} stars on balances, ${stars.held} held`)
    : failed(`${discrepancies.length} of their sums do not agree. npm run books names the rows`);
}
