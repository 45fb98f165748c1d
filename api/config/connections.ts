import { randomBytes } from 'node:crypto';
import type { Settings } from './settings.ts';

type Role = Settings['ROLES'][number];

/** How many connections to PostgreSQL a process opens at most. */
export interface Connections {
  /** For requests, jobs and the bot. */
  pool: number;
  /** For the queue's own statements. */
  queue: number;
  /** All of the process, with those that it keeps open to listen. */
  total: number;
  /** How the server lists them. */
  name: string;
}

/**
 * The default by role. Four processes with `api`, four with `worker`, a bot and its standby take 90 of the 97
 * connections that PostgreSQL leaves by default. The other seven are for migrations, an operator's command and psql.
 */
const BY_ROLE: Record<Role, { pool: number; queue: number; apart: number }> = {
  // A statement of a request takes milliseconds, and requests of one account use at most half of the pool. The queue is
  // only asked whether it works, because jobs are sent in transactions of the pool. One connection listens for events.
  api: { pool: 8, queue: 1, apart: 1 },
  // Up to 35 jobs run at once, but most of them wait for an engine, a file or a mail server and use no connection then.
  // The queue's heartbeats must not wait for its maintenance. One connection listens for jobs.
  worker: { pool: 5, queue: 3, apart: 1 },
  // Twelve chats at once, which mostly wait for Telegram. One connection listens for jobs, one holds the lock that
  // makes this bot the active one.
  bot: { pool: 3, queue: 2, apart: 2 },
};

/** Tells the processes of a machine apart. */
const PROCESS_ID = randomBytes(3).toString('hex');

/** `pool` replaces the default of the roles. */
export function countConnections(roles: readonly Role[], pool?: number): Connections {
  const sum = (part: keyof (typeof BY_ROLE)[Role]) => roles.reduce((all, role) => all + BY_ROLE[role][part], 0);
  const counts = { pool: pool ?? sum('pool'), queue: sum('queue') };
  // A process with both roles listens for jobs once.
  const shared = roles.includes('worker') && roles.includes('bot') ? 1 : 0;
  const total = counts.pool + counts.queue + sum('apart') - shared;
  return { ...counts, total, name: `podium ${roles.join('+')} ${total} ${PROCESS_ID}` };
}

/** An operator's command runs a few statements side by side. */
export const COMMAND_CONNECTIONS: Connections = { pool: 4, queue: 1, total: 5, name: 'podium' };

/** Reads the number of connections out of the name of one. Null for another program's. */
export function readTotal(name: string): number | null {
  const [, total] = /^podium [a-z+]+ (\d+) [0-9a-f]+$/.exec(name) ?? [];
  return total === undefined ? null : Number(total);
}
