import { Duplex } from 'node:stream';
import type { PGliteThread } from './pglite-thread.ts';

/** This file follows how this version of pg uses its socket. Another version may call more of it. */
export const WRITTEN_FOR = { pg: '8.23.1' };

// Types of requests.
const EXECUTE = 0x45;
const FLUSH = 0x48;
const QUERY = 0x51;
const SYNC = 0x53;
const TERMINATE = 0x58;
// Types of answers. The first four say how a statement has ended.
const COMMAND_COMPLETE = 0x43;
const ERROR_RESPONSE = 0x45;
const PORTAL_SUSPENDED = 0x73;
const EMPTY_QUERY_RESPONSE = 0x49;
const READY_FOR_QUERY = 0x5a;
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
      this.push(await this.#exchange(messages));
    }
    if (isTerminated) this.push(null);
  }

  /**
   * PGlite survives what ends a server: a write-ahead log that cannot grow, or a trap of its WebAssembly. Its session is
   * broken from then on, and its answer lacks an end. Only opening the database again repairs it.
   */
  async #exchange(messages: Uint8Array): Promise<Buffer> {
    const answer = Buffer.from(await this.#thread.exchange(messages));
    if (isWhole(answer, messages)) return answer;
    // A field of an ErrorResponse is a letter and a text that ends with a zero.
    const reason = answer
      .toString()
      .split('\0')
      .find((field) => field.startsWith('M'));
    throw await this.#thread.abandon(`The embedded database broke: ${reason?.slice(1) ?? 'it gives no reason'}`);
  }

  /** Answers the startup packet as soon as it is complete. */
  async #start(): Promise<boolean> {
    if (this.#received.length < 4) return false;
    const length = this.#received.readInt32BE(0);
    if (this.#received.length < length) return false;
    this.#received = this.#received.subarray(length);
    // The session outlives a broken connection, but its open transaction and settings must not.
    await this.#exchange(simpleQuery('ROLLBACK'));
    await this.#exchange(simpleQuery('DISCARD ALL'));
    await this.#exchange(simpleQuery("SET TIME ZONE 'UTC'"));
    this.#isStarted = true;
    this.push(GREETING);
    return true;
  }
}

/** Finds the end of the last complete round trip (Sync, Query or Flush) in the received bytes. */
function findRoundTrip(received: Buffer): { end: number; isTerminated: boolean } {
  let end = 0;
  for (const message of readMessages(received)) {
    if (message.type === TERMINATE) return { end, isTerminated: true };
    if (message.type === SYNC || message.type === QUERY || message.type === FLUSH) end = message.end;
  }
  return { end, isTerminated: false };
}

/** Whether an answer says how the statements have ended, and that the database is ready for more. */
function isWhole(answer: Uint8Array, messages: Uint8Array): boolean {
  const asked = [...readMessages(messages)].map(({ type }) => type);
  const answered = [...readMessages(answer)].map(({ type }) => type);
  if (asked.at(-1) !== FLUSH && answered.at(-1) !== READY_FOR_QUERY) return false;
  const has = (...types: number[]) => types.some((type) => answered.includes(type));
  // After a trap PGlite calls a prepared statement empty. Nobody prepares one that is.
  if (asked.includes(EXECUTE)) return has(COMMAND_COMPLETE, ERROR_RESPONSE, PORTAL_SUSPENDED);
  return !asked.includes(QUERY) || has(COMMAND_COMPLETE, ERROR_RESPONSE, EMPTY_QUERY_RESPONSE);
}

/** The types of the complete messages and where each ends. */
function* readMessages(bytes: Uint8Array): Generator<{ type: number; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; bytes.length - offset >= 5; ) {
    const end = offset + 1 + view.getInt32(offset + 1);
    if (end > bytes.length) return;
    yield { type: view.getUint8(offset), end };
    offset = end;
  }
}

function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const message = new Uint8Array(5 + text.length);
  message[0] = QUERY;
  new DataView(message.buffer).setInt32(1, 4 + text.length);
  message.set(text, 5);
  return message;
}
