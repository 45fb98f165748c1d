import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/**
 * This file relies on two habits of these versions: a client emits `error` before its statements fail, with the same
 * object, and the pool's `query` calls `connect` with a callback.
 */
export const WRITTEN_FOR = { pg: '8.23.1', 'pg-pool': '3.14.0' };

/** At most this part of the connections works for one account at a time, but at least two connections. */
const SHARE = 1 / 3;
/**
 * Statements of one account that wait for its share. More are refused at once. A page of the gallery asks for all its
 * pictures together, because HTTP/2 sends about a hundred requests at once.
 */
const WAITING_MAX = 300;

const accountAtWork = new AsyncLocalStorage<number>();

/** Runs `work` with its statements counted for this account. */
export function workForAccount<T>(accountId: number, work: () => T): T {
  return accountAtWork.run(accountId, work);
}

/** There was no connection for a statement, so it was not sent. */
export class NotSentError extends Error {
  override name = 'NotSentError';
}

/** Too many statements of one account wait, so this one was not sent. */
export class AccountBusyError extends NotSentError {
  override name = 'AccountBusyError';

  constructor() {
    super('too many statements of one account wait for the database');
  }
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

interface Turns {
  taken: number;
  /** Each begins a statement that waits. */
  waiting: (() => void)[];
}

/**
 * A pool in which one account cannot take every connection. While a row is locked, every statement that needs it holds
 * a connection until the lock timeout, and others would find none. Work for no account, such as a clean-up, has no
 * limit. Nor has the search for a session, which also brings what the endpoint reads for its caller: the account is not
 * known before, and a read waits for no locked row.
 */
export class FairPool extends pg.Pool {
  readonly #share: number;
  readonly #waitMs: number;
  readonly #turns = new Map<number, Turns>();
  readonly #holders = new WeakMap<pg.PoolClient, number>();

  constructor(options: pg.PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(options);
    this.#share = Math.max(1, Math.min(options.max - 1, Math.max(2, Math.floor(options.max * SHARE))));
    this.#waitMs = options.connectionTimeoutMillis;
    // What was sent fails with the same error, and later.
    this.on('connect', (client) => client.on('error', markConnectionError));
    this.on('release', (_error, client) => {
      const accountId = this.#holders.get(client);
      if (accountId === undefined) return;
      this.#holders.delete(client);
      this.#passOn(accountId);
    });
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const client = this.#connectInTurn();
    if (!callback) return client;
    // `query` of the pool comes this way.
    client.then(
      (connected) => callback(undefined, connected, connected.release.bind(connected)),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  /** Statements that wait for their account's share. `waitingCount` of the pool does not know them yet. */
  get waitingForShareCount(): number {
    return [...this.#turns.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  async #connectInTurn(): Promise<pg.PoolClient> {
    const accountId = accountAtWork.getStore();
    if (accountId === undefined) return this.#connect();
    await this.#takeTurn(accountId);
    try {
      const client = await this.#connect();
      this.#holders.set(client, accountId);
      return client;
    } catch (error) {
      this.#passOn(accountId);
      throw error;
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await super.connect();
    } catch (cause) {
      throw new NotSentError('no connection to the database', { cause });
    }
  }

  async #takeTurn(accountId: number): Promise<void> {
    const turns = this.#turns.get(accountId) ?? { taken: 0, waiting: [] };
    this.#turns.set(accountId, turns);
    if (turns.taken < this.#share) {
      turns.taken += 1;
      return;
    }
    if (turns.waiting.length >= WAITING_MAX) throw new AccountBusyError();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        turns.waiting.splice(turns.waiting.indexOf(begin), 1);
        reject(new AccountBusyError());
      }, this.#waitMs);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      turns.waiting.push(begin);
    });
  }

  /** Gives the turn to the next statement of the account. */
  #passOn(accountId: number): void {
    const turns = this.#turns.get(accountId);
    if (!turns) return;
    const next = turns.waiting.shift();
    if (next) next();
    else turns.taken -= 1;
    if (turns.taken === 0) this.#turns.delete(accountId);
  }
}

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: boolean | Error) => void,
) => void;
