import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '#api/config/config.ts';
import { backOffMs } from '#shared/rules/back-off.ts';
import { GENERATION_KINDS } from '#shared/rules/generation-lifecycle.ts';
import type { DatabaseHandle, Tx } from './database.ts';
import { ListeningPool } from './embedded/listening-pool.ts';

/** The channel of NOTIFY. */
export const ACCOUNT_EVENTS_CHANNEL = 'podium_account_events';

const accountEvent = z.object({
  accountId: z.int(),
  /** `sessions`: some of the account's sessions have ended. */
  event: z.enum(['generation', 'batch', 'pack', 'balance', 'sessions']),
  /** The id of the generation, the batch or the pack. */
  id: z.uuid().optional(),
  /** The batch that the generation belongs to. */
  batchId: z.uuid().optional(),
  kind: z.enum(GENERATION_KINDS).optional(),
});
/** Something of an account has changed. An account event does not contain the new state. */
export type AccountEvent = z.infer<typeof accountEvent>;

/** `gap`: account events may have been lost, so anything may have changed. */
export type AccountEventListener = (accountEvent: AccountEvent | 'gap') => void;

export interface AccountEvents {
  /** Receives the account events of every process on this database until the returned function is called. */
  listen(listener: AccountEventListener): Promise<() => Promise<void>>;
}

/** Sends an account event when the transaction commits, and none when it rolls back. */
export async function sendAccountEvent(tx: Pick<Tx, '$executeRaw'>, content: AccountEvent): Promise<void> {
  await tx.$executeRaw`select pg_notify(${ACCOUNT_EVENTS_CHANNEL}, ${JSON.stringify(content)})`;
}

/** Null for what is no account event: anybody on this database may send it, and an error would end the process. */
function readAccountEvent(payload: string): AccountEvent | null {
  try {
    return accountEvent.parse(JSON.parse(payload));
  } catch {
    return null;
  }
}

/** Uses LISTEN, on the one connection of the embedded database, or on a separate connection to a server. */
export function createAccountEvents(
  database: DatabaseHandle,
  config: Pick<Config, 'databaseUrl' | 'connections'>,
  log: Pick<Logger, 'warn' | 'error'>,
): AccountEvents {
  return {
    listen: (listener) => {
      const onMessage = (payload: string) => {
        const event = readAccountEvent(payload);
        if (event) listener(event);
      };
      const onReconnect = () => listener('gap');
      return database.pool instanceof ListeningPool
        ? database.pool.listen({ channel: ACCOUNT_EVENTS_CHANNEL, onMessage, onReconnect })
        : listenApart(config, onMessage, onReconnect, log);
    },
  };
}

const RECONNECT_MIN_MS = 500;
const RECONNECT_MAX_MS = 30_000;
/** A connection that nothing comes from looks like one whose other end is gone, so the server is asked. */
const BEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
const END_TIMEOUT_MS = 1_000;

async function listenApart(
  { databaseUrl, connections }: Pick<Config, 'databaseUrl' | 'connections'>,
  onMessage: (payload: string) => void,
  onReconnect: () => void,
  log: Pick<Logger, 'warn' | 'error'>,
): Promise<() => Promise<void>> {
  let isStopped = false;
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const own = new pg.Client({
      connectionString: databaseUrl,
      application_name: connections.name,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    // Without a listener a broken connection would end the process.
    own.on('error', (error) => lose(own, error));
    own.on('notification', ({ payload = '' }) => onMessage(payload));
    try {
      await own.connect();
      await own.query(`LISTEN ${ACCOUNT_EVENTS_CHANNEL}`);
    } catch (error) {
      void own.end();
      throw error;
    }
    if (isStopped) return void own.end();
    client = own;
    keepAsking(own).catch((error: Error) => lose(own, error));
  }

  async function keepAsking(own: pg.Client): Promise<void> {
    for (;;) {
      await wait(BEAT_MS, undefined, { ref: false });
      if (own !== client) return;
      await own.query('select 1');
    }
  }

  function lose(own: pg.Client, error: Error): void {
    if (own !== client) return;
    log.warn({ err: error }, 'the connection for account events broke');
    client = null;
    // Not awaited, because a server that does not answer would never end it.
    void own.end();
    reconnectLater(0);
  }

  function reconnectLater(failures: number): void {
    if (isStopped) return;
    timer = setTimeout(
      () => {
        connect().then(onReconnect, (error: unknown) => {
          log.error({ err: error }, 'cannot listen to account events');
          reconnectLater(failures + 1);
        });
      },
      backOffMs(failures, { firstMs: RECONNECT_MIN_MS, longestMs: RECONNECT_MAX_MS }),
    );
  }

  await connect();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    const last = client;
    client = null;
    await Promise.race([last?.end(), wait(END_TIMEOUT_MS, undefined, { ref: false })]);
  };
}
