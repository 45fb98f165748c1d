import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test, vi } from 'vitest';
import { drawJpeg } from '#tests/fixtures/photo-files.ts';
import { createPhoto } from '#tests/support/factories.ts';
import { encodeFileForm } from '#tests/support/forms.ts';
import { createTestApp } from '#tests/support/test-app.ts';
import { until } from '#tests/support/until.ts';
import { useTestApp } from '#tests/support/use-test-app.ts';
import { registerUnverified } from '#tests/support/users.ts';

/** More than the buffers of two sockets hold. */
const FILE_BYTES = 32 * 1024 * 1024;
const testApp = useTestApp();

afterEach(() => void vi.useRealTimers());

test('an upload under way is finished, and a new one is refused', async () => {
  const stopping = await createTestApp();
  const user = await registerUnverified(stopping);
  const address = new URL(await stopping.server.listen({ port: 0, host: '127.0.0.1' }));
  const form = await encodeFileForm('image', {
    content: await drawJpeg(400, 500),
    name: 'photo.jpg',
    type: 'image/jpeg',
  });
  const begin = (connection: 'close' | 'keep-alive') => {
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      `POST /api/upload HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookie}\r\nConnection: ${connection}\r\n` +
        `Content-Type: ${form.headers['content-type']}\r\nContent-Length: ${form.body.length}\r\n\r\n`,
    );
    return socket;
  };
  const idle = connect(Number(address.port), address.hostname);
  // Half of a request is no idle connection, so it can go on during the stop.
  idle.write('POST /api/upload HTTP/1.1\r\n');
  const upload = begin('keep-alive');
  upload.write(form.body.subarray(0, 1000));
  await until(async () => expect(await readdir(path.join(stopping.app.config.dataDir, 'work'))).not.toEqual([]));

  // The upload has seconds of grace. A busy machine may need more for its photo, so these pass only when told to.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = stopping.server.close();
  idle.write(`Host: localhost\r\nCookie: ${user.cookie}\r\nContent-Length: 9\r\n`);
  idle.write(`Content-Type: ${form.headers['content-type']}\r\n\r\nincomplete`);
  const refusal = String(await text(idle));
  expect(refusal).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusal).toMatch(/retry-after: 5/i);
  expect(refusal).toMatch(/connection: close/i);
  vi.useRealTimers();
  upload.write(form.body.subarray(1000));
  const answer = String(await text(upload));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(answer).toMatch(/connection: close/i);
  await closed;
  expect(await stopping.app.db.photo.count()).toBe(1);
  await stopping.app.close();
});

test('a client that stalls in the middle of a download does not hold up the stop', async () => {
  const { app, server } = testApp;
  const user = await registerUnverified(testApp);
  const photo = await createPhoto(app, user.account.id, { previewBytes: FILE_BYTES });
  await app.storage.put(photo.previewKey, Buffer.alloc(FILE_BYTES), 'image/webp');
  const address = new URL(await server.listen({ port: 0, host: '127.0.0.1' }));

  const socket = connect(Number(address.port), address.hostname);
  socket.write(`GET /media/photos/${photo.id}/preview HTTP/1.1\r\nHost: localhost\r\nCookie: ${user.cookie}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(String(head)).toMatch(/^HTTP\/1\.1 200 /);
  socket.pause();
  socket.on('error', () => undefined);

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const closed = server.close();
  while (server.server.listening) await new Promise((resolve) => setImmediate(resolve));
  // The ten seconds that everything has.
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await closed;
  socket.destroy();
});
