import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import type { Config } from './config.ts';
import type { DatabaseHandle, Tx } from './db.ts';

/** The channel of NOTIFY. */
export const NUDGE_CHANNEL = 'podium_nudges';

const nudge = z.object({
  accountId: z.int(),
  /** `sessions`: some of the account's sessions have ended. */
  event: z.enum(['generation', 'balance', 'sessions']),
  /** Of the generation. */
  id: z.uuid().optional(),
  /** Left out where only the newer program of another process knows it. */
  kind: z.enum(GENERATION_KINDS).optional().catch(undefined),
});
/** That something of an account has changed; what it is now has to be asked. */
export type Nudge = z.infer<typeof nudge>;

/** `gap`: nudges may have been lost, so anything may have changed. */
export type NudgeListener = (nudge: Nudge | 'gap') => void;

export interface Nudges {
  /** Hears the nudges of every process on this database, until the returned function is called. */
  listen(listener: NudgeListener): Promise<() => Promise<void>>;
}

/** Goes out when the transaction is committed, and not at all when it is rolled back. */
export async function sendNudge(tx: Pick<Tx, '$executeRaw'>, content: Nudge): Promise<void> {
  await tx.$executeRaw`select pg_notify(${NUDGE_CHANNEL}, ${JSON.stringify(content)})`;
}

/** By LISTEN: of the embedded database through its one connection, of a server through one of our own. */
export function createNudges(
  database: DatabaseHandle,
  config: Pick<Config, 'databaseUrl'>,
  log: Pick<Logger, 'warn' | 'error'>,
): Nudges {
  return {
    listen: (listener) => {
      const receive = ({ channel, payload }: pg.Notification) => {
        if (channel === NUDGE_CHANNEL) listener(nudge.parse(JSON.parse(payload ?? '')));
      };
      return database.isEmbedded
        ? listenThroughPool(database.pool, receive)
        : listenApart(config.databaseUrl, receive, () => listener('gap'), log);
    },
  };
}

async function listenThroughPool(
  pool: pg.Pool,
  receive: (message: pg.Notification) => void,
): Promise<() => Promise<void>> {
  const listen = async (client: pg.ClientBase) => {
    client.on('notification', receive);
    await client.query(`LISTEN ${NUDGE_CHANNEL}`);
  };
  const client = await pool.connect();
  await listen(client).finally(() => client.release());
  return async () => {
    client.off('notification', receive);
    await pool.query(`UNLISTEN ${NUDGE_CHANNEL}`);
  };
}

const RECONNECT_MIN_MS = 500;
const RECONNECT_MAX_MS = 30_000;

async function listenApart(
  databaseUrl: string | undefined,
  receive: (message: pg.Notification) => void,
  onGap: () => void,
  log: Pick<Logger, 'warn' | 'error'>,
): Promise<() => Promise<void>> {
  let isStopped = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const own = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
    // Without a listener a connection that breaks would end the process.
    own.on('error', (error) => log.warn({ err: error }, 'the connection for nudges broke'));
    own.on('end', () => {
      if (own === client) reconnectLater(RECONNECT_MIN_MS);
    });
    own.on('notification', receive);
    try {
      await own.connect();
      await own.query(`LISTEN ${NUDGE_CHANNEL}`);
    } catch (error) {
      await own.end();
      throw error;
    }
    if (isStopped) await own.end();
    else client = own;
  }

  function reconnectLater(delayMs: number): void {
    client = null;
    if (isStopped) return;
    timer = setTimeout(() => {
      connect().then(onGap, (error: unknown) => {
        log.error({ err: error }, 'nudges cannot be heard');
        reconnectLater(Math.min(delayMs * 2, RECONNECT_MAX_MS));
      });
    }, delayMs);
  }

  await connect();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    const last = client;
    client = null;
    await last?.end();
  };
}
