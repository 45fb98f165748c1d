import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCTION_WITH_OUTBOX } from '#tests/support/production-env.ts';
import { type RunningServer, startServer, Visitor } from '#tests/support/running-server.ts';

/** Longer than the minute that headers have. All callers are slow at the same time. */
const SLOW_SECONDS = 70;
const HOST = new URL(PRODUCTION_WITH_OUTBOX.PUBLIC_URL).host;

/** As in production, but without the nginx before it. */
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ env: { ...PRODUCTION_WITH_OUTBOX, LOG_LEVEL: 'warn' } });
});
afterAll(() => server?.stop());

describe.concurrent('a caller', () => {
  test('who sends headers of one byte a second is refused after a minute', async () => {
    const { socket, answer } = open();
    socket.write('GET /api/catalogue HTTP/1.1\r\nX-Slow: ');
    const timer = setInterval(() => socket.write('x'), 1_000);
    await expectRefusalAfterMinute(answer);
    clearInterval(timer);
  });

  test('who says nothing is refused after a minute', () => expectRefusalAfterMinute(open().answer));

  // nginx ends it after a minute. Without one, Node does after the twelve minutes of a request.
  test('who stops in the middle of a body, or sends it by the byte, keeps nobody waiting', async () => {
    const callers = [open(), open()] as const;
    const head = writeHead('POST /api/analytics/event', ['Content-Type: application/json', 'Content-Length: 60000']);
    for (const { socket } of callers) socket.write(`${head}{"email":`);
    const timer = setInterval(() => callers[1].socket.write(' '), 1_000);
    await wait(SLOW_SECONDS * 1_000);
    clearInterval(timer);
    for (const { socket } of callers) expect(socket.destroyed || socket.readableEnded).toBe(false);
    expect((await new Visitor(server).request('GET', '/api/catalogue')).status).toBe(200);
    for (const { socket } of callers) socket.destroy();
  });

  test('who sends a photo at 32 KB a second is heard to the end', async () => {
    const visitor = new Visitor(server);
    await visitor.register('mobile@example.com');
    const { socket, answer } = open();
    // Not a form at its end, so the answer is about what has come.
    const type = 'Content-Type: multipart/form-data; boundary=b';
    const length = `Content-Length: ${SLOW_SECONDS * 32_768}`;
    socket.write(writeHead('POST /api/upload', [`Cookie: ${visitor.cookie}`, type, length, 'Connection: close']));
    for (let second = 0; second < SLOW_SECONDS; second++) {
      expect(socket.destroyed, `after ${second} s`).toBe(false);
      socket.write('x'.repeat(32_768));
      await wait(1_000);
    }
    expect(await answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/);
  });
});

/** Opens a connection past the proxy. `answer` resolves with all that came when the server closes it. */
function open(): { socket: Socket; answer: Promise<string> } {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.on('error', () => undefined);
  return { socket, answer: once(socket, 'close').then(() => text) };
}

/** The beginning of a request, as the proxy would send it. */
function writeHead(request: string, headers: string[]): string {
  return [`${request} HTTP/1.1`, `Host: ${HOST}`, ...headers, '', ''].join('\r\n');
}

async function expectRefusalAfterMinute(answer: Promise<string>): Promise<void> {
  const startedAt = performance.now();
  expect(await answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request_timeout"/);
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(seconds).toBeGreaterThanOrEqual(60);
  expect(seconds).toBeLessThanOrEqual(SLOW_SECONDS);
}
