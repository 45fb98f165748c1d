import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Settings of PostgreSQL for one connection, as `SET` takes them: times are in milliseconds. */
export type SessionSettings = Readonly<Record<string, string | number>>;

const CONNECT_TIMEOUT_MS = 5_000;
const OLDEST_VERSION = 15;
/** A busy pooler may give the session to somebody else between two questions. */
const PROBES = 3;

/** The database cannot be used as it is set up. The message is for the operator. */
export class UnfitDatabaseError extends Error {
  override name = 'UnfitDatabaseError';
}

/**
 * Makes the hook that a pool of `pg` runs on each new connection, before anybody gets it. It sets UTC, because Prisma
 * writes wrong times in another zone, and `settings`. They are no startup parameters: PgBouncer refuses those, or drops
 * them without a word.
 */
export function prepareSession(settings: SessionSettings = {}): (client: pg.ClientBase) => Promise<void> {
  const wanted = { TimeZone: 'UTC', ...settings };
  return async (client) => {
    await client.query(
      'select set_config(name, value, false) from unnest($1::text[], $2::text[]) as wanted (name, value)',
      [Object.keys(wanted), Object.values(wanted).map(String)],
    );
  };
}

const SHARED =
  'DATABASE_URL: a pooler in transaction mode (or statement mode) stands there, which gives each transaction another ' +
  'session. Podium needs sessions of its own: set pool_mode = session, or name PostgreSQL itself';

/**
 * Checks, before the first migration, that the server keeps sessions apart and is new enough. Throws
 * UnfitDatabaseError, or the driver's error when there is no connection.
 */
export async function assertFitServer(databaseUrl: string): Promise<void> {
  const version = await withClients(databaseUrl, 1, async ([client]) => {
    const { rows } = await client.query<{ number: string }>("select current_setting('server_version_num') as number");
    return Math.floor(Number(rows[0]?.number) / 10_000);
  });
  if (version < OLDEST_VERSION) {
    throw new UnfitDatabaseError(`DATABASE_URL: PostgreSQL ${OLDEST_VERSION} or newer (is ${version})`);
  }
  if (await isSessionShared(databaseUrl)) throw new UnfitDatabaseError(SHARED);
}

/** Whether a second connection sees what a first one has set for itself. */
function isSessionShared(databaseUrl: string): Promise<boolean> {
  return withClients(databaseUrl, 2, async ([first, second]) => {
    for (let probe = 0; probe < PROBES; probe++) {
      const mark = randomUUID();
      await first.query(`select set_config('podium.session', $1, false)`, [mark]);
      const { rows } = await second.query<{ isShared: boolean }>(
        `select current_setting('podium.session', true) is not distinct from $1 as "isShared"`,
        [mark],
      );
      if (rows[0]?.isShared) return true;
    }
    return false;
  });
}

/**
 * Whether a pooler stands before the server. A pooler keeps a session of the server for the next client, so a new
 * connection gets the process of one that has ended.
 */
export async function isBehindPooler(databaseUrl: string): Promise<boolean> {
  const seen = new Set<number>();
  for (let probe = 0; probe < PROBES; probe++) {
    const pid = await withClients(databaseUrl, 1, async ([client]) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]?.pid ?? 0;
    });
    if (seen.has(pid)) return true;
    seen.add(pid);
  }
  return false;
}

/** Runs `work` with this many connections side by side, and ends them. */
async function withClients<T>(
  databaseUrl: string,
  count: number,
  work: (clients: [pg.Client, pg.Client]) => Promise<T>,
): Promise<T> {
  const clients = Array.from(
    { length: count },
    () =>
      new pg.Client({
        connectionString: databaseUrl,
        application_name: 'podium',
        connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
        query_timeout: CONNECT_TIMEOUT_MS,
      }),
  );
  try {
    for (const client of clients) {
      // Without a listener a broken connection would end the process. The next question fails.
      client.on('error', () => undefined);
      await client.connect();
    }
    return await work(clients as [pg.Client, pg.Client]);
  } finally {
    await Promise.allSettled(clients.map((client) => client.end()));
  }
}
