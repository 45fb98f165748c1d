import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { addClientErrors, answerClientError } from '#api/plugins/client-errors.ts';
import { addErrorHandler } from '#api/plugins/error-handler.ts';
import { ERRORS } from '#shared/contract/errors.ts';

let server: FastifyInstance;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

/** Longer than any test takes on a busy machine. */
const PATIENT_MS = 250_000;

/** Starts a server with Node's own timeouts, as `createServer` sets them, but short ones. */
async function start({ headersMs = 400, requestMs = 400 } = {}): Promise<void> {
  server = Fastify({
    clientErrorHandler: answerClientError,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: 20 },
    requestTimeout: requestMs,
  });
  addClientErrors(server);
  addErrorHandler(server);
  server.post('/api/echo', async ({ body }) => body);
  server.post('/api/early', { onRequest: async (_request, reply) => reply.code(401).send() }, async () => undefined);
  await server.listen({ port: 0, host: '127.0.0.1' });
}

/** Opens a connection. `text` resolves with everything that the server has sent, when it has closed or reset. */
function open(): { socket: Socket; text: Promise<string> } {
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  // A server that closes while bytes come in resets the connection.
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return { socket, text: closed };
}

/** Sends one byte every 10 ms for as long as the server takes them. */
function trickle(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 10);
  socket.once('close', () => clearInterval(timer));
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const bodyOf = (answer: string) => JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
const asRefusal = (code: keyof typeof ERRORS) => ({ message: ERRORS[code].message, code });

describe('a caller who is slow', () => {
  it.each([
    ['a body that trickles', (socket: Socket) => socket.write(head('/api/echo', 60_000)), ' '],
    ['headers that trickle', (socket: Socket) => socket.write('GET /api/echo HTTP/1.1\r\nX-Slow: '), 'x'],
    ['a body that stops', (socket: Socket) => socket.write(`${head('/api/echo', 60_000)}${' '.repeat(50_000)}`), ''],
    ['silence', () => undefined, ''],
  ])('is cut with words: %s', async (_name, begin, byte) => {
    await start();
    const { socket, text } = open();
    begin(socket);
    if (byte) trickle(socket, byte);
    expect(await text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(bodyOf(await text)).toEqual(asRefusal('request_timeout'));
  });

  it('is cut without a second answer where the body was not wanted', async () => {
    await start();
    const { socket, text } = open();
    socket.write(head('/api/early', 60_000));
    trickle(socket, ' ');
    expect((await text).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  it('does not keep others from their answers', async () => {
    await start({ headersMs: PATIENT_MS, requestMs: PATIENT_MS });
    for (let count = 0; count < 200; count++) open().socket.write(head('/api/echo', 60_000));
    const { socket, text } = open();
    socket.write(`${head('/api/echo', 2).replace('HTTP/1.1', 'HTTP/1.0')}{}`);
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });
});

describe('what is no request', () => {
  it.each([
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 Bad Request', 'invalid_request'],
    ['a wrong length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', '400 Bad Request', 'invalid_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n',
      '400 Bad Request',
      'invalid_request',
    ],
    [
      'a length beside chunks, which proxies may read in two ways',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n',
      '400 Bad Request',
      'invalid_request',
    ],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headers_too_large',
    ],
  ] as const)('is refused with words: %s', async (_name, sent, status, code) => {
    await start({ headersMs: PATIENT_MS, requestMs: PATIENT_MS });
    const { socket, text } = open();
    socket.write(sent, 'latin1');
    expect((await text).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(bodyOf(await text)).toEqual(asRefusal(code));
  });

  it('is refused after an answer on the same connection, too', async () => {
    await start({ headersMs: PATIENT_MS, requestMs: PATIENT_MS });
    const { socket, text } = open();
    socket.write(`${head('/api/echo', 2)}{}`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.write('no request\r\n\r\n');
    expect((await text).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
  });
});
