import pg from 'pg';

/**
 * This file relies on two habits of these versions: a client emits `error` before its statements fail, with the same
 * object, and the pool's `query` calls `connect` with a callback.
 */
export const WRITTEN_FOR = { pg: '8.23.1', 'pg-pool': '3.14.0' };

/** There was no connection for a statement, so it was not sent. */
export class NotSentError extends Error {
  override name = 'NotSentError';
}

const connectionErrors = new WeakSet<object>();

/** Notes that an error comes from a connection to the database. It looks like one from any other server. */
export function markConnectionError<E extends Error>(error: E): E {
  connectionErrors.add(error);
  return error;
}

export function isConnectionError(error: Error): boolean {
  return connectionErrors.has(error);
}

/** A pool whose errors tell a statement that was never sent from one whose answer was lost. */
export class DatabasePool extends pg.Pool {
  constructor(options: pg.PoolConfig) {
    super(options);
    // What was sent fails with the same error, and later.
    this.on('connect', (client) => client.on('error', markConnectionError));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const client = super.connect().catch((cause: unknown) => {
      throw new NotSentError('no connection to the database', { cause });
    });
    if (!callback) return client;
    // `query` of the pool comes this way.
    client.then(
      (connected) => callback(undefined, connected, connected.release.bind(connected)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: boolean | Error) => void,
) => void;
