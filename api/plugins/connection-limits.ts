import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { toNetwork } from '#api/services/ground/limits.ts';
import { ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';
import { createAddressList } from './address-list.ts';

/** How long the headers of a request may take, how long its body may be silent, and how long a small body may take. */
export const SLOW_CALLER_MS = 60_000;
/** How often slow callers are looked for. */
export const SLOW_CALLER_CHECK_MS = 5_000;
/**
 * A body gets one more second for so many bytes, about the speed of EDGE: ten minutes for a photo of 10 MB, while one
 * that trickles ends after a minute.
 */
const SLOWEST_BYTES_PER_SECOND = 16 * 1024;
/** A network behind one address has hundreds of people, each with a few connections. */
const CONNECTIONS_PER_ADDRESS = 1_000;
const RETRY_SECONDS = 60;
/** An address that is refused says so once in this time. */
const REFUSAL_TOLD_MS = 60_000;

interface ConnectionLimits {
  slowCallerMs?: number;
  checkMs?: number;
  connectionsPerAddress?: number;
}

/** The newest answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>();

/**
 * Cuts requests whose body comes too slowly (408), and refuses connections of an address that has too many (429). A
 * trusted proxy may have any number, because it speaks for many addresses. `limits`: for tests.
 */
export function addConnectionLimits(server: FastifyInstance, app: AppContext, limits: ConnectionLimits = {}): void {
  countConnections(server, app, limits.connectionsPerAddress ?? CONNECTIONS_PER_ADDRESS);
  const { slowCallerMs = SLOW_CALLER_MS, checkMs = SLOW_CALLER_CHECK_MS } = limits;
  const bodies = new Map<IncomingMessage, Progress>();
  server.server.on('request', (request, answer) => {
    answers.set(request.socket, answer);
    if (request.complete) return;
    const now = performance.now();
    const bytes = request.socket.bytesRead;
    bodies.set(request, { startedAt: now, before: bytes, bytes, lastByteAt: now, isCut: false });
    request.once('close', () => bodies.delete(request));
  });
  const check = setInterval(() => {
    const now = performance.now();
    for (const [request, progress] of bodies) {
      const { socket } = request;
      if (socket.bytesRead > progress.bytes) Object.assign(progress, { bytes: socket.bytesRead, lastByteAt: now });
      // A request that was answered before its body had ended does not always say that it is over.
      if (request.complete || socket.destroyed) bodies.delete(request);
      // Its caller does not take the answer.
      else if (progress.isCut) socket.destroy();
      else if (isTooSlow(progress, now, slowCallerMs)) {
        progress.isCut = true;
        app.log.info({ bytes: progress.bytes - progress.before }, 'a body came too slowly and was cut');
        // A body that is still coming after its answer was not wanted.
        if (answers.get(socket)?.headersSent) socket.destroy();
        else refuse(socket, 'request_timeout');
      }
    }
  }, checkMs).unref();
  server.addHook('onClose', async () => clearInterval(check));
}

/** How a body comes in. `before`: bytes of the connection before the body. Times in milliseconds. */
interface Progress {
  startedAt: number;
  before: number;
  bytes: number;
  lastByteAt: number;
  isCut: boolean;
}

function isTooSlow({ startedAt, before, bytes, lastByteAt }: Progress, now: number, slowCallerMs: number): boolean {
  const allowedMs = slowCallerMs + ((bytes - before) / SLOWEST_BYTES_PER_SECOND) * 1000;
  return now - lastByteAt > slowCallerMs || now - startedAt > allowedMs;
}

function countConnections(server: FastifyInstance, app: AppContext, max: number): void {
  const proxies = createAddressList(app.config.trustedProxies);
  const counts = new Map<string, number>();
  const toldAt = new Map<string, number>();
  const tell = (key: string) => {
    const now = performance.now();
    for (const [told, at] of toldAt) if (now - at >= REFUSAL_TOLD_MS) toldAt.delete(told);
    if (toldAt.has(key)) return;
    toldAt.set(key, now);
    app.log.warn({ connections: max }, 'an address has too many connections');
  };
  server.server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || proxies.includes(address)) return;
    const key = toNetwork(address);
    const count = counts.get(key) ?? 0;
    if (count >= max) {
      tell(key);
      refuse(socket, 'too_many_requests');
      return;
    }
    counts.set(key, count + 1);
    socket.once('close', () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    });
  });
}

/** What Node's parser finds before there is a request: slow or large headers, or no HTTP at all. */
export function answerClientError(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  this.log.debug({ code: error.code }, 'no request could be read');
  refuse(socket, CLIENT_ERRORS[error.code ?? ''] ?? 'invalid_request');
}
const CLIENT_ERRORS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Closes a connection, with an answer where Fastify has no request to answer and none is on its way. */
function refuse(socket: Socket, code: ErrorCode): void {
  const answer = answers.get(socket);
  const isAnswering = answer?.headersSent && !answer.writableFinished;
  if (isAnswering || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = ERRORS[code];
  const body = JSON.stringify({ message, code } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 429 ? [`Retry-After: ${RETRY_SECONDS}`] : []),
    'Cache-Control: no-store',
    'Connection: close',
  ];
  // Destroyed once it is written, because the other side may never close.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
