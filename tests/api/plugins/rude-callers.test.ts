import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useTestApp } from '#tests/support/use-test-app.ts';

const testApp = useTestApp({ onLogLine: (line) => lines.push(line) });
let port: number;
const lines: string[] = [];
beforeAll(async () => {
  await testApp.server.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = testApp.server.server.address() as AddressInfo);
});
/** The ids of requests from before the test. Their log lines are ignored. */
const formerIds = new Set<string>();
beforeEach(() => {
  for (const { requestId } of readLog()) formerIds.add(requestId);
});

const readLog = () => lines.map((line) => JSON.parse(line));

/** Sends the beginning of a request over its own socket. `leave` resolves when the server sees that it is gone. */
async function begin(text: string): Promise<{ leave(): Promise<unknown> }> {
  const accepted = once(testApp.server.server, 'connection') as Promise<[Socket]>;
  const caller = connect({ port, host: '127.0.0.1' });
  const [atServer] = await accepted;
  caller.write(text);
  return {
    leave() {
      caller.resetAndDestroy();
      // `once` would reject with the error of the broken connection.
      return new Promise((resolve) => atServer.on('close', resolve));
    },
  };
}

/** Waits for the log line of this test's request, which has this path. Expects no errors in the log. */
async function expectOnlyHangingUp(path: string): Promise<void> {
  await vi.waitFor(() => expect(readLogOfTest()).not.toEqual([]), 60_000);
  await passAnother();
  const written = readLogOfTest().filter((line) => line.path !== OTHER_PATH);
  expect(written).toMatchObject([{ level: 'info', method: 'POST', path, msg: 'the caller hung up' }]);
  expect(written[0]).not.toHaveProperty('error');
  expectNoErrors();
}

/** When another request has gone to the database and back, everything about the one before it is logged. */
async function passAnother(): Promise<void> {
  const other = await testApp.server.inject({ url: OTHER_PATH, headers: { cookie: COOKIE } });
  expect(other.statusCode).toBe(401);
  await vi.waitFor(() => expect(readLogOfTest().filter((line) => line.path === OTHER_PATH)).toHaveLength(1), 60_000);
}

const readLogOfTest = () => readLog().filter(({ requestId }) => requestId !== undefined && !formerIds.has(requestId));

function expectNoErrors(): void {
  expect(readLog().filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
  expect(lines.filter((line) => /unavailable/.test(line))).toEqual([]);
}

/** The cookie of no session. The server still looks it up. */
const COOKIE = `podium_session=${'a'.repeat(43)}`;
const OTHER_PATH = '/api/auth/user';

const head = (path: string, more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...more, '', ''].join('\r\n');

it.each(['/api/login', '/api/analytics/event', '/api/payments/webhook/sandbox'])(
  'a caller who hangs up in the middle of a body for %s is logged neither as an error nor as an unreachable database',
  async (path) => {
    const { leave } = await begin(`${head(path, ['Content-Length: 100'])}{"email": `);
    const [request] = (await once(testApp.server.server, 'request')) as [IncomingMessage];
    await vi.waitFor(() => expect(request.readableFlowing).toBe(true), 60_000);
    await leave();
    await expectOnlyHangingUp(path);
  },
);

it.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: lo', 'connection'],
  ['the first page, asked for fifty times', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(50), 'request'],
] as const)('a caller who hangs up in the middle of %s is not logged as an error', async (_, text, seen) => {
  const isSeen = once(testApp.server.server, seen);
  const { leave } = await begin(text);
  await isSeen;
  await leave();
  await passAnother();
  expectNoErrors();
});

it.each(['/api/login', '/api/analytics/event'])(
  'a caller who is gone before %s has looked for a session is not logged as an error',
  async (path) => {
    const { pool } = testApp.app;
    const isAsked = Promise.withResolvers<void>();
    const isGone = Promise.withResolvers<void>();
    Object.assign(testApp.app, {
      pool: {
        query: async () => {
          isAsked.resolve();
          await isGone.promise;
          return { rows: [] };
        },
      },
    });
    try {
      const { leave } = await begin(`${head(path, [`Cookie: ${COOKIE}`, 'Content-Length: 2'])}{}`);
      await isAsked.promise;
      await leave();
      isGone.resolve();
    } finally {
      Object.assign(testApp.app, { pool });
    }
    await passAnother();
    expect(readLogOfTest().filter((line) => line.path !== OTHER_PATH && line.level !== 'info')).toEqual([]);
    expectNoErrors();
  },
);

it.each(['/api/login', '/api/logout', '/api/analytics/event', '/api/payments/webhook/sandbox'])(
  'a body of thousands of nested arrays is refused by %s',
  async (url) => {
    for (const payload of [nest('[', ']'), `{"details": ${nest('[', ']')}}`, nest('{"a":', '}')]) {
      const answer = await testApp.server.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload,
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    }
  },
);

const nest = (open: string, close: string) => `${open.repeat(5000)}0${close.repeat(5000)}`;
