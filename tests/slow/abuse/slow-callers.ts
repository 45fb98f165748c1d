import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type AbuseCase, type AbuseScene, describeRaw } from './abuse-scene.ts';

const CONNECTIONS_PER_ADDRESS = 1_000;
/** Not the proxy's, whose connections are not bounded. */
const ATTACKER = '127.0.0.2';
const JSON_HEADERS = ['Content-Type: application/json', 'Content-Length: 60000'];

/** These wait for the minute that a slow caller has, so they are tried at once. */
export const SLOW_CALLER_CASES: AbuseCase[] = [
  {
    name: 'a JSON body of one byte a second',
    expected: '408 request_timeout after 60 to 70 s',
    try: (scene) => trickle(scene, scene.head('POST', '/api/analytics/event', JSON_HEADERS), ' '),
  },
  {
    name: 'headers of one byte a second',
    expected: '408 request_timeout after 60 to 70 s',
    try: (scene) => trickle(scene, 'GET /api/catalogue HTTP/1.1\r\nX-Slow: ', 'x'),
  },
  {
    name: 'a connection that says nothing',
    expected: '408 request_timeout after 60 to 70 s',
    try: (scene) => trickle(scene, '', ''),
  },
  {
    name: 'a body that stops in its middle',
    expected: '408 request_timeout after 60 to 70 s',
    try: (scene) => trickle(scene, `${scene.head('POST', '/api/analytics/event', JSON_HEADERS)}{"email":`, ''),
  },
  {
    name: 'a photo over slow mobile, 32 KB a second for 70 s',
    expected: '400 invalid_request after 70 s',
    async try(scene) {
      const cookie = await scene.register('mobile@example.com');
      const { socket, answer } = scene.open();
      const startedAt = performance.now();
      const seconds = 70;
      // Not a form at its end, so the answer is about what has come.
      const type = 'Content-Type: multipart/form-data; boundary=b';
      const length = `Content-Length: ${seconds * 32_768}`;
      socket.write(scene.head('POST', '/api/upload', [`Cookie: ${cookie}`, type, length, 'Connection: close']));
      for (let second = 0; second < seconds && !socket.destroyed; second++) {
        socket.write('x'.repeat(32_768));
        await wait(1_000);
      }
      const seen = describeRaw(await answer);
      return `${seen} after ${Math.min(seconds, Math.floor((performance.now() - startedAt) / 1000))} s`;
    },
  },
];

async function trickle(scene: AbuseScene, begin: string, byte: string): Promise<string> {
  const { socket, answer } = scene.open();
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
    name: `${CONNECTIONS_PER_ADDRESS + 1} connections of one address`,
    expected: '429 too_many_requests, and 200 for others',
    async try(scene) {
      const held = Array.from({ length: CONNECTIONS_PER_ADDRESS }, () => scene.open(ATTACKER));
      await Promise.all(held.map(({ socket }) => once(socket, 'connect')));
      const seen = describeRaw(await scene.open(ATTACKER).answer);
      const other = await scene.call('/api/catalogue');
      for (const { socket } of held) socket.destroy();
      return `${seen}, and ${other.status} for others`;
    },
  },
  {
    name: 'the beginning of TLS',
    expected: '400 invalid_request',
    try: (scene) => speak(scene, Buffer.from('16030102000100', 'hex')),
  },
  {
    name: 'headers of 40 KB',
    expected: '431 headers_too_large',
    try: (scene) => speak(scene, scene.head('GET', '/', [`Cookie: ${'x'.repeat(40_000)}`])),
  },
  {
    name: 'two lengths in one request',
    expected: '400 invalid_request',
    try: (scene) => speak(scene, scene.head('POST', '/api/login', ['Content-Length: 2', 'Content-Length: 9'])),
  },
  {
    name: 'a length beside chunks (request smuggling)',
    expected: '400 invalid_request',
    try: (scene) => speak(scene, scene.head('POST', '/api/login', ['Content-Length: 2', 'Transfer-Encoding: chunked'])),
  },
];

async function speak(scene: AbuseScene, bytes: string | Buffer): Promise<string> {
  const { socket, answer } = scene.open();
  socket.write(bytes);
  return describeRaw(await answer);
}
