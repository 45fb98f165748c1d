import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPhoto } from '#tests/support/factories.ts';
import { registerUnverified } from '#tests/support/people.ts';
import { createTestApp, type TestApp } from '#tests/support/test-app.ts';

/** More than the buffers of two sockets hold. */
const FILE_BYTES = 32 * 1024 * 1024;
let testApp: TestApp;

beforeAll(async () => {
  testApp = await createTestApp();
});
afterAll(() => testApp.close());

test('a client that stalls in the middle of a download does not hold up the stop', async () => {
  const { app, server } = testApp;
  const person = await registerUnverified(testApp);
  const photo = await createPhoto(app, person.account.id);
  await app.storage.put(photo.previewKey, Buffer.alloc(FILE_BYTES));
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));

  const socket = connect(Number(address.port), address.hostname);
  socket.write(`GET /media/photos/${photo.id}/preview HTTP/1.1\r\nHost: localhost\r\nCookie: ${person.cookie}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
  socket.pause();
  socket.on('error', () => undefined);

  const startedAt = performance.now();
  await server.close();
  expect(performance.now() - startedAt).toBeLessThan(6_000);
  socket.destroy();
});
