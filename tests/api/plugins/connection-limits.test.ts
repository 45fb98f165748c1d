import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addConnectionLimits, answerClientError } from '#api/plugins/connection-limits.ts';
import { addErrorHandler } from '#api/plugins/error-handler.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { ERRORS } from '#shared/contract/errors.ts';

let server: FastifyInstance;
let sockets: Socket[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.close();
});

/** Longer than any test takes on a busy machine. */
const PATIENT_MS = 250_000;

interface Limits {
  trustedProxies?: string[];
  headersMs?: number;
  bodyMs?: number;
}

/** Starts a server that cuts slow callers, after 400 ms by default, and takes two connections of an address. */
async function start({ trustedProxies = [], headersMs = 400, bodyMs = 400 }: Limits = {}): Promise<void> {
  server = Fastify({
    clientErrorHandler: answerClientError,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: 20 },
  });
  addErrorHandler(server);
  const app = { config: { trustedProxies }, log: server.log } as unknown as AppContext;
  addConnectionLimits(server, app, { slowCallerMs: bodyMs, checkMs: 20, connectionsPerAddress: 2 });
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
    await start({ headersMs: PATIENT_MS });
    const { socket, text } = open();
    socket.write(head('/api/early', 60_000));
    trickle(socket, ' ');
    expect((await text).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });

  it.each([
    ['whose body was not wanted', '/api/early', 60_000],
    ['whose body is too large', '/api/echo', 3_000_000],
  ])('is told in the log once, and one %s and who has left is not', async (_name, path, length) => {
    // The clock stands still: on a busy machine the first one would be cut before they have left.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    await start({ headersMs: PATIENT_MS });
    const info = vi.spyOn(server.log, 'info');
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const left = open();
    const [atServer] = await accepted;
    const isGone = new Promise((resolve) => atServer.once('close', resolve));
    left.socket.write(`${head(path, length)}${' '.repeat(50_000)}`);
    await once(left.socket, 'data');
    left.socket.destroy();
    await isGone;
    // This one is cut later than the other would have been.
    const slow = open();
    slow.socket.write(head('/api/echo', 60_000));
    await once(server.server, 'request');
    trickle(slow.socket, ' ');
    clock.mockReturnValue(10_000);
    await slow.text;
    const messages: unknown[] = info.mock.calls.map(([, message]) => message);
    expect(messages.filter((message) => message === 'a body came too slowly and was cut')).toHaveLength(1);
  });

  it('is waited for while the bytes flow', async () => {
    // The clock follows the bytes, because a busy machine may need more time for them than they buy.
    let now = 1_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    await start({ headersMs: PATIENT_MS });
    const accepted = once(server.server, 'connection') as Promise<[Socket]>;
    const { socket, text } = open();
    const [atServer] = await accepted;
    // 32 KB buy two seconds beside the first 400 ms, and this body takes more than the latter.
    const value = 'x'.repeat(32 * 1024);
    const body = JSON.stringify({ value });
    socket.write(head('/api/echo', body.length).replace('HTTP/1.1', 'HTTP/1.0'));
    for (let at = 0; at < body.length; at += 512) {
      socket.write(body.slice(at, at + 512));
      do await new Promise((resolve) => setTimeout(resolve, 10));
      while (atServer.bytesRead < socket.bytesWritten);
      now += 25;
    }
    expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(bodyOf(await text)).toEqual({ value });
  });
});

describe('the connections of one address', () => {
  const PATIENT = { headersMs: PATIENT_MS, bodyMs: PATIENT_MS };
  const holdTwo = async () => {
    for (const { socket } of [open(), open()]) {
      // Their bodies never come, so they stay as long as the server waits.
      socket.write(head('/api/echo', 60_000));
      await once(server.server, 'request');
    }
  };

  it('are bounded, and a closed one makes room', async () => {
    await start(PATIENT);
    await holdTwo();
    const third = await open().text;
    expect(third).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n/);
    expect(third).toMatch(/\r\nRetry-After: \d+\r\n/);
    expect(bodyOf(third)).toEqual(asRefusal('too_many_requests'));

    const atServer = new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
    expect(await atServer).toBe(2);
    sockets[0]?.destroy();
    await expect.poll(() => askOnce(), { timeout: 60_000 }).toBe(200);
  });

  it('are complained about once a minute, however many are refused', async () => {
    // The clock stands still, because a busy machine may take longer than a minute.
    vi.spyOn(performance, 'now').mockReturnValue(1_000);
    await start(PATIENT);
    const warn = vi.spyOn(server.log, 'warn');
    await holdTwo();
    for (let count = 0; count < 5; count++) expect(await open().text).toMatch(/^HTTP\/1\.1 429 /);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('are not bounded for a trusted proxy', async () => {
    await start({ ...PATIENT, trustedProxies: ['10.0.0.0/8', '127.0.0.1'] });
    await holdTwo();
    expect(await askOnce()).toBe(200);
  });

  async function askOnce(): Promise<number> {
    const { socket, text } = open();
    socket.write(head('/api/echo', 2).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    socket.write('{}');
    return Number((await text).split(' ')[1]);
  }
});

describe('what is no request', () => {
  it.each([
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 Bad Request', 'invalid_request'],
    ['a wrong length', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', '400 Bad Request', 'invalid_request'],
    [
      'headers without end',
      `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headers_too_large',
    ],
  ] as const)('is refused with words: %s', async (_name, sent, status, code) => {
    await start({ headersMs: PATIENT_MS });
    const { socket, text } = open();
    socket.write(sent, 'latin1');
    expect((await text).split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`);
    expect(bodyOf(await text)).toEqual(asRefusal(code));
  });
});
