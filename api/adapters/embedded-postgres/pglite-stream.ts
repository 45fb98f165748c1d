import { Duplex } from 'node:stream';
import type { PGliteThread } from './pglite-thread.ts';

/** This file follows how this version of pg uses its socket. Another version may call more of it. */
export const WRITTEN_FOR = { pg: '8.23.1' };

const SYNC = 0x53;
const QUERY = 0x51;
const FLUSH = 0x48;
const TERMINATE = 0x58;
/** AuthenticationOk, then ReadyForQuery (idle). PGlite is running already and asks for no password. */
const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

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

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void) {
    this.#received = this.#received.length > 0 ? Buffer.concat([this.#received, chunk]) : chunk;
    this.#pass().then(() => done(), done);
  }

  async #pass() {
    if (!this.#isStarted && !(await this.#start())) return;
    const { end, isTerminated } = findRoundTrip(this.#received);
    if (end > 0) {
      const messages = new Uint8Array(this.#received.subarray(0, end));
      this.#received = this.#received.subarray(end);
      this.push(Buffer.from(await this.#thread.exchange(messages)));
    }
    if (isTerminated) this.push(null);
  }

  /** Answers the startup packet as soon as it is complete. */
  async #start(): Promise<boolean> {
    if (this.#received.length < 4) return false;
    const length = this.#received.readInt32BE(0);
    if (this.#received.length < length) return false;
    this.#received = this.#received.subarray(length);
    // The session outlives a broken connection, but its open transaction and settings must not.
    await this.#thread.exchange(simpleQuery('ROLLBACK'));
    await this.#thread.exchange(simpleQuery('DISCARD ALL'));
    await this.#thread.exchange(simpleQuery("SET TIME ZONE 'UTC'"));
    this.#isStarted = true;
    this.push(GREETING);
    return true;
  }
}

/** Finds the end of the last complete round trip (Sync, Query or Flush) in the received bytes. */
function findRoundTrip(received: Buffer): { end: number; isTerminated: boolean } {
  let offset = 0;
  let end = 0;
  while (received.length - offset >= 5) {
    const type = received[offset];
    const length = received.readInt32BE(offset + 1) + 1;
    if (type === TERMINATE) return { end, isTerminated: true };
    if (received.length - offset < length) break;
    offset += length;
    if (type === SYNC || type === QUERY || type === FLUSH) end = offset;
  }
  return { end, isTerminated: false };
}

function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const message = new Uint8Array(5 + text.length);
  message[0] = QUERY;
  new DataView(message.buffer).setInt32(1, 4 + text.length);
  message.set(text, 5);
  return message;
}
