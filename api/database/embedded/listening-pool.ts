import pg from 'pg';

/** The pool waits for `onConnect` before it hands out a new connection, and fails the statement when it fails. */
export const WRITTEN_FOR = { 'pg-pool': '3.14.0' };

export interface ChannelListener {
  /** An SQL identifier. */
  channel: string;
  onMessage(payload: string): void;
  /** The connection has broken and there is a new one. Messages may have been lost. */
  onReconnect(): void;
}

/**
 * A pool of one connection that can also listen. The pool replaces a connection whose statement has failed, and LISTEN
 * ends with the connection. So each new one listens again before anybody uses it.
 */
export class ListeningPool extends pg.Pool {
  readonly #listeners = new Set<ChannelListener>();
  #hasMissedNothing = false;

  constructor(options: pg.PoolConfig) {
    // Without a time limit for idle connections, because nothing is heard until the next statement connects again.
    super({ ...options, max: 1, idleTimeoutMillis: 0 });
    this.options.onConnect = (client) => this.#prepare(client);
  }

  /** Calls the listener until the returned function is called. Rejects when LISTEN fails. */
  async listen(listener: ChannelListener): Promise<() => Promise<void>> {
    const { channel } = listener;
    await this.#use(async (client) => {
      await client.query(`LISTEN ${channel}`);
      this.#listeners.add(listener);
    });
    return async () => {
      this.#listeners.delete(listener);
      const unlisten = this.#use(async (client) => {
        if (!this.#listChannels().has(channel)) await client.query(`UNLISTEN ${channel}`);
      });
      // A connection that is gone does not listen either.
      await unlisten.catch(() => undefined);
    };
  }

  /**
   * Takes back a connection that works and has passed on every message, and puts a new one in its place. Nothing is
   * missed between the two, because nobody else uses the database, so no listener is told.
   */
  replace(client: pg.PoolClient): void {
    this.#hasMissedNothing = true;
    client.release(true);
  }

  async #use(work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
    const client = await this.connect();
    await work(client).finally(() => client.release());
  }

  async #prepare(client: pg.ClientBase): Promise<void> {
    // Without a listener an error would end the process while the connection is lent. Its statement fails as well.
    client.on('error', () => undefined);
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.#listeners) if (listener.channel === channel) listener.onMessage(payload);
    });
    for (const channel of this.#listChannels()) await client.query(`LISTEN ${channel}`);
    const hasMissedNothing = this.#hasMissedNothing;
    this.#hasMissedNothing = false;
    if (hasMissedNothing) return;
    for (const listener of this.#listeners) listener.onReconnect();
  }

  #listChannels(): Set<string> {
    return new Set([...this.#listeners].map(({ channel }) => channel));
  }
}
