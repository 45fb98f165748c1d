import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastifyMultipart from '@fastify/multipart';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { withPhotoForm } from '#api/routes/form-with-photo.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { createProcessState } from '#api/services/core/process-state.ts';

/** A server that knows forms, and nothing else of the program. */
async function createServer() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'podium-form-'));
  const server = fastify();
  onTestFinished(async () => {
    await server.close();
    await rm(dataDir, { recursive: true });
  });
  await server.register(fastifyMultipart);
  const app = { config: { dataDir }, state: createProcessState() } as AppContext;
  const readForm = (request: FastifyRequest, reply: FastifyReply) =>
    withPhotoForm(app, { accountId: 1, request, reply, fileField: 'image' }, async () => 'read');
  return { server, dataDir, readForm };
}

test('a form whose sender has hung up before it is read is refused, and leaves nothing', async () => {
  const { server, dataDir, readForm } = await createServer();
  const outcome = Promise.withResolvers<unknown>();
  const arrived = Promise.withResolvers<void>();
  server.post('/', async (request, reply) => {
    const hungUp = new Promise((resolve) => request.raw.once('close', resolve));
    arrived.resolve();
    await hungUp;
    await readForm(request, reply).then(outcome.resolve, outcome.resolve);
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = net.connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const headers = ['host: localhost', 'content-type: multipart/form-data; boundary=b', 'content-length: 1000'];
  socket.write(`POST / HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  socket.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\nabc');
  await arrived.promise;
  socket.destroy();
  expect(await outcome.promise).toMatchObject({ code: 'invalid_request' });
  expect(await readdir(path.join(dataDir, 'work'))).toEqual([]);
});

test('a form without its end is refused, however much of its photo has come', async () => {
  const { server, readForm } = await createServer();
  server.post('/', (request, reply) => readForm(request, reply).catch(({ code }) => code));
  for (const bytes of [10, 100_000, 3_000_000]) {
    const answer = await server.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      payload: `--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n${'x'.repeat(bytes)}`,
    });
    expect(answer.body, `${bytes} bytes`).toBe('invalid_request');
  }
});
