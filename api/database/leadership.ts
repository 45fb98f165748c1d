import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#api/config/config.ts';
import { COMMAND_CONNECTIONS } from '#api/config/connections.ts';
import { Prisma } from '#prisma/generated/client.ts';
import { prepareSession } from './session.ts';

/**
 * Lets one of several processes do what only one may do. The leader holds a session lock of PostgreSQL on a connection
 * of its own. A lock needs no table, and it is free at once when its process ends or is killed. Three times keep two
 * leaders apart when nothing tells the leader of its loss: the server ends a session that is silent for
 * SESSION_IDLE_MS, because the machine is gone or the process is frozen. The leader asks every BEAT_MS, and gives up by
 * itself when its last answered question is HELD_MS old, which is earlier.
 */
const SESSION_IDLE_MS = 15_000;
const HELD_MS = 8_000;
const BEAT_MS = 1_000;
/** How often the others try to take over. */
const TRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** «Podi» and the first lock of ours. */
const LOCK = { space: 0x50_6f_64_69, number: 1 };

/** The time in which this process leads. */
export interface Lease {
  /** Aborts when the process stops or has lost the lead. From then on nothing is begun. */
  ending: AbortSignal;
  /** Aborts when another process may lead. What waits to be done is not done any more. */
  lost: AbortSignal;
  /** Throws NotLeadingError when another process may lead. For what must not be done by two. */
  check(): void;
  /** An SQL condition that is true while this process leads, so that a statement is done only then. */
  isHeld: Prisma.Sql;
}

export interface Leadership {
  /**
   * Waits until no other process leads, and runs `work`. After a loss it waits again, and runs it again. Resolves when
   * `work` ends on its own, or when `signal` is aborted and `work` has ended. Another process then takes over.
   */
  runAsLeader(signal: AbortSignal, work: (lease: Lease) => Promise<void>): Promise<void>;
}

/** This process has lost the lead. What it was doing is done again by another one. */
export class NotLeadingError extends Error {
  constructor() {
    super('another process leads');
    this.name = 'NotLeadingError';
  }
}

type LeadershipConfig = Pick<Config, 'databaseUrl'> & Partial<Pick<Config, 'connections'>>;
type LeadershipLog = Pick<Logger, 'info' | 'warn'>;

/** The embedded database belongs to one process, so that one always leads. */
export function createLeadership(config: LeadershipConfig, log: LeadershipLog): Leadership {
  if (config.databaseUrl) return { runAsLeader: (signal, work) => leadInTurn(config, log, signal, work) };
  const { signal: lost } = new AbortController();
  return { runAsLeader: (ending, work) => work({ ending, lost, check: () => undefined, isHeld: Prisma.sql`true` }) };
}

async function leadInTurn(
  config: LeadershipConfig,
  log: LeadershipLog,
  signal: AbortSignal,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    const lock = await takeLock(config, log, signal);
    if (!lock) return;
    try {
      await work({ ...lock, ending: AbortSignal.any([signal, lock.lost]) });
    } finally {
      await lock.release();
    }
    if (!lock.lost.aborted) return;
    log.warn('the lead was lost, trying to get it back');
  }
}

interface HeldLock extends Omit<Lease, 'ending'> {
  release(): Promise<void>;
}

/** Tries until the lock is free. Null when `signal` aborts first. */
async function takeLock(config: LeadershipConfig, log: LeadershipLog, signal: AbortSignal): Promise<HeldLock | null> {
  let client: pg.Client | null = null;
  let told = '';
  const logOnce = (news: string, tell: () => void) => {
    if (told !== news) tell();
    told = news;
  };
  while (!signal.aborted) {
    try {
      client ??= await connect(config);
      const askedAt = performance.now();
      const { rows } = await client.query<{ pid: number; isTaken: boolean }>(
        `select pg_backend_pid() as pid, pg_try_advisory_lock(${LOCK.space}, ${LOCK.number}) as "isTaken"`,
      );
      if (rows[0]?.isTaken) return hold(client, rows[0].pid, askedAt);
      logOnce('waits', () => log.info('another process leads, this one waits to take over'));
    } catch (error) {
      void client?.end();
      client = null;
      logOnce('fails', () => log.warn({ err: error }, 'the lead cannot be asked for'));
    }
    await wait(TRY_MS, undefined, { signal }).catch(() => undefined);
  }
  await client?.end();
  return null;
}

async function connect({ databaseUrl, connections = COMMAND_CONNECTIONS }: LeadershipConfig): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: connections.name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: HELD_MS,
    keepAlive: true,
  });
  // Without a listener a broken connection would end the process. The next question fails, or `end` follows.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await prepareSession({ idle_session_timeout: SESSION_IDLE_MS })(client);
    return client;
  } catch (error) {
    void client.end();
    throw error;
  }
}

/** Keeps the session alive. `askedAt`: when the lock was asked for, by `performance.now()`. */
function hold(client: pg.Client, pid: number, askedAt: number): HeldLock {
  const losing = new AbortController();
  let heldUntil = askedAt + HELD_MS;
  let isAsking = false;
  const lose = () => {
    clearInterval(timer);
    losing.abort();
  };
  const ask = async () => {
    const sentAt = performance.now();
    isAsking = true;
    await client.query('select 1');
    isAsking = false;
    heldUntil = sentAt + HELD_MS;
  };
  const timer = setInterval(() => {
    if (performance.now() > heldUntil) lose();
    else if (!isAsking) ask().catch(lose);
  }, BEAT_MS);
  client.once('end', lose);
  return {
    lost: losing.signal,
    check() {
      // A process that was frozen comes here before its timers do.
      if (performance.now() > heldUntil) lose();
      if (losing.signal.aborted) throw new NotLeadingError();
    },
    isHeld: Prisma.sql`exists (
      select from pg_locks where locktype = 'advisory' and pid = ${pid} and granted
        and classid = ${LOCK.space} and objid = ${LOCK.number})`,
    async release() {
      clearInterval(timer);
      client.off('end', lose);
      // A server that does not answer would never end it. The socket of a lost connection is left to the system.
      const ended = client.end();
      if (!losing.signal.aborted) await ended;
    },
  };
}
