import { Duplex } from 'node:stream';
import type { PGliteThread } from './pglite-thread.ts';
import { exchange, findRoundTrip, GREETING, measureStartup, SET_TIME_ZONE, simpleQuery } from './wire-messages.ts';

/** This file follows how this version of pg uses its socket. Another version may call more of it. */
export const WRITTEN_FOR = { pg: '8.23.1' };

/**
 * Replaces the TCP socket of `pg`: it carries the wire protocol to PGlite in the same process. All streams share
 * PGlite's one session, so a pool over it needs `max: 1`.
 */
export class PGliteStream extends Duplex {
  readonly #thread: PGliteThread;
  #received: Buffer = Buffer.alloc(0);
  #isStarted = false;

  constructor(thread: PGliteThread) {
    super();
    this.#thread = thread;
  }

  connect() {
    queueMicrotask(() => this.emit('connect'));
    return this;
  }

  // The rest of net.Socket that pg calls. A stream in memory has nothing to configure.
  setNoDelay() {
    return this;
  }
  setKeepAlive() {
    return this;
  }
  ref() {
    return this;
  }
  unref() {
    return this;
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: BufferEncoding | 'buffer', done: (error?: Error | null) => void) {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#pass().then(() => done(), done);
  }

  /** The messages of one statement come together. Node would pass on the next one only after the one before. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), 'buffer', done);
  }

  async #pass() {
    if (!this.#isStarted && !(await this.#start())) return;
    const { end, isTerminated } = findRoundTrip(this.#received);
    if (end > 0) {
      const messages = new Uint8Array(this.#received.subarray(0, end));
      this.#received = this.#received.subarray(end);
      this.push(await exchange(this.#thread, messages));
    }
    if (isTerminated) this.push(null);
  }

  /** Answers the startup packet as soon as it is complete. */
  async #start(): Promise<boolean> {
    const length = measureStartup(this.#received);
    if (length === null) return false;
    this.#received = this.#received.subarray(length);
    // The session outlives a broken connection, but its open transaction and settings must not.
    await exchange(this.#thread, simpleQuery('ROLLBACK'));
    await exchange(this.#thread, simpleQuery('DISCARD ALL'));
    await exchange(this.#thread, simpleQuery(SET_TIME_ZONE));
    this.#isStarted = true;
    this.push(GREETING);
    return true;
  }
}
