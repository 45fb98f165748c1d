import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type AbuseCase, type AbuseFixture, describeRaw } from './abuse-fixture.ts';

/** Not the proxy's. */
const ATTACKER = '127.0.0.2';
const JSON_HEADERS = ['Content-Type: application/json', 'Content-Length: 60000'];

/** These wait for the minute that headers have, so they are tried at once. */
export const SLOW_CALLER_CASES: AbuseCase[] = [
  {
    name: 'headers of one byte a second',
    expected: '408 request_timeout after 60 to 70 s',
    try: (fixture) => trickle(fixture, 'GET /api/catalogue HTTP/1.1\r\nX-Slow: ', 'x'),
  },
  {
    name: 'a connection that says nothing',
    expected: '408 request_timeout after 60 to 70 s',
    try: (fixture) => trickle(fixture, '', ''),
  },
  {
    // nginx ends it after a minute. Without one, Node does after the twelve minutes of a request.
    name: 'a body that stops in its middle, and one of one byte a second',
    expected: 'open after 70 s, and 200 for others',
    async try(fixture) {
      const head = fixture.head('POST', '/api/analytics/event', JSON_HEADERS);
      const callers = [fixture.open(ATTACKER), fixture.open(ATTACKER)];
      for (const { socket } of callers) socket.write(`${head}{"email":`);
      const timer = setInterval(() => callers[1]?.socket.write(' '), 1_000);
      await wait(70_000);
      clearInterval(timer);
      const areOpen = callers.every(({ socket }) => !socket.destroyed && !socket.readableEnded);
      const other = await fixture.call('/api/catalogue');
      for (const { socket } of callers) socket.destroy();
      return `${areOpen ? 'open' : 'closed'} after 70 s, and ${other.status} for others`;
    },
  },
  {
    name: 'a photo over slow mobile, 32 KB a second for 70 s',
    expected: '400 invalid_request after 70 s',
    async try(fixture) {
      const cookie = await fixture.register('mobile@example.com');
      const { socket, answer } = fixture.open();
      const startedAt = performance.now();
      const seconds = 70;
      // Not a form at its end, so the answer is about what has come.
      const type = 'Content-Type: multipart/form-data; boundary=b';
      const length = `Content-Length: ${seconds * 32_768}`;
      socket.write(fixture.head('POST', '/api/upload', [`Cookie: ${cookie}`, type, length, 'Connection: close']));
      for (let second = 0; second < seconds && !socket.destroyed; second++) {
        socket.write('x'.repeat(32_768));
        await wait(1_000);
      }
      const seen = describeRaw(await answer);
      return `${seen} after ${Math.min(seconds, Math.floor((performance.now() - startedAt) / 1000))} s`;
    },
  },
];

async function trickle(fixture: AbuseFixture, begin: string, byte: string): Promise<string> {
  const { socket, answer } = fixture.open();
  const startedAt = performance.now();
  socket.write(begin);
  const timer = byte ? setInterval(() => socket.write(byte), 1_000) : undefined;
  const seen = describeRaw(await answer);
  clearInterval(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  return `${seen} after ${seconds >= 60 && seconds <= 70 ? '60 to 70' : seconds.toFixed(0)} s`;
}

export const CONNECTION_CASES: AbuseCase[] = [
  {
    // Only nginx bounds them, see `limit_conn` in operations/nginx/podium.conf.
    name: '2000 connections of one address, each with half a body',
    expected: '200 for others',
    async try(fixture) {
      const held = Array.from({ length: 2_000 }, () => fixture.open(ATTACKER));
      await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
      for (const { socket } of held) socket.write(fixture.head('POST', '/api/analytics/event', JSON_HEADERS));
      const other = await fixture.call('/api/catalogue');
      for (const { socket } of held) socket.destroy();
      return `${other.status} for others`;
    },
  },
  {
    name: 'the beginning of TLS',
    expected: '400 invalid_request',
    try: (fixture) => speak(fixture, Buffer.from('16030102000100', 'hex')),
  },
  {
    name: 'headers of 40 KB',
    expected: '431 headers_too_large',
    try: (fixture) => speak(fixture, fixture.head('GET', '/', [`Cookie: ${'x'.repeat(40_000)}`])),
  },
  {
    name: 'two lengths in one request',
    expected: '400 invalid_request',
    try: (fixture) => speak(fixture, fixture.head('POST', '/api/login', ['Content-Length: 2', 'Content-Length: 9'])),
  },
  {
    name: 'a length beside chunks (request smuggling)',
    expected: '400 invalid_request',
    try: (fixture) =>
      speak(fixture, fixture.head('POST', '/api/login', ['Content-Length: 2', 'Transfer-Encoding: chunked'])),
  },
];

async function speak(fixture: AbuseFixture, bytes: string | Buffer): Promise<string> {
  const { socket, answer } = fixture.open();
  socket.write(bytes);
  return describeRaw(await answer);
}
