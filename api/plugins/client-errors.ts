import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ERRORS, type ErrorBody, type ErrorCode } from '#shared/contract/errors.ts';

/** The newest answer of each connection. */
const answers = new WeakMap<Socket, ServerResponse>();

/** Notes which connections have an answer, so that `answerClientError` sends no second one. */
export function addClientErrors({ server }: FastifyInstance): void {
  server.on('request', (request, answer) => answers.set(request.socket, answer));
}

/**
 * Answers what Node finds where Fastify has no request to answer: headers or a body that took too long, large headers,
 * or no HTTP at all. Closes the connection.
 */
export function answerClientError(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  this.log.debug({ code: error.code }, 'no request could be read');
  const answer = answers.get(socket);
  const isAnswered = answer?.headersSent && !(answer.writableFinished && answer.req.complete);
  if (isAnswered || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = CLIENT_ERRORS[error.code ?? ''] ?? 'invalid_request';
  const { status, message } = ERRORS[code];
  const body = JSON.stringify({ message, code } satisfies ErrorBody);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  // Destroyed once it is written, because the other side may never close.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};
