// The parts of PostgreSQL's wire protocol that whoever passes its bytes on to PGlite has to understand.
import type { PGliteThread } from './pglite-thread.ts';

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
const NOTIFICATION_RESPONSE = 0x41;
const READY_FOR_QUERY = 0x5a;
/** The state in ReadyForQuery: no transaction is open. */
const IDLE = 0x49;
/** AuthenticationOk, then ReadyForQuery (idle). PGlite is running already and asks for no password. */
export const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, READY_FOR_QUERY, 0, 0, 0, 5, IDLE]);

/**
 * Sends complete messages. PGlite survives what ends a server: a write-ahead log that cannot grow, or a trap of its
 * WebAssembly. Its session is broken from then on, and its answer lacks an end. Only opening the database again repairs
 * it, so the thread is ended and its error is thrown.
 */
export async function exchange(thread: PGliteThread, messages: Uint8Array): Promise<Buffer> {
  const answer = Buffer.from(await thread.exchange(messages));
  if (isWhole(answer, messages)) return answer;
  // A field of an ErrorResponse is a letter and a text that ends with a zero.
  const reason = answer
    .toString()
    .split('\0')
    .find((field) => field.startsWith('M'));
  throw await thread.abandon(`The embedded database broke: ${reason?.slice(1) ?? 'it gives no reason'}`);
}

/** The length of the startup packet at the beginning of the received bytes. Null while it is not complete. */
export function measureStartup(received: Buffer): number | null {
  if (received.length < 4) return null;
  const length = received.readInt32BE(0);
  return received.length < length ? null : length;
}

/** Finds the end of the last complete round trip (Sync, Query or Flush) in the received bytes. */
export function findRoundTrip(received: Buffer): { end: number; isTerminated: boolean } {
  let end = 0;
  for (const message of readMessages(received)) {
    if (message.type === TERMINATE) return { end, isTerminated: true };
    if (message.type === SYNC || message.type === QUERY || message.type === FLUSH) end = message.end;
  }
  return { end, isTerminated: false };
}

/** Whether the database waits for the next statement after this answer, outside a transaction. */
export function isIdleAfter(answer: Uint8Array): boolean {
  return answer.at(-6) === READY_FOR_QUERY && answer.at(-1) === IDLE;
}

/** What NOTIFY has sent to the session, among the messages of an answer. */
export function findNotifications(answer: Buffer): Buffer {
  const found: Buffer[] = [];
  let start = 0;
  for (const { type, end } of readMessages(answer)) {
    if (type === NOTIFICATION_RESPONSE) found.push(answer.subarray(start, end));
    start = end;
  }
  return Buffer.concat(found);
}

/** Of every session of the program: Prisma writes wrong times in another zone. */
export const SET_TIME_ZONE = "SET TIME ZONE 'UTC'";

/** The message of a simple query. */
export function simpleQuery(sql: string): Uint8Array {
  const text = Buffer.from(`${sql}\0`);
  const message = new Uint8Array(5 + text.length);
  message[0] = QUERY;
  new DataView(message.buffer).setInt32(1, 4 + text.length);
  message.set(text, 5);
  return message;
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
