/** Started by `event-streams.bench.ts`, which asks over IPC for the memory: the program, or a bare Fastify with streams. */
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { main } from '#api/main.ts';
import { measureTree } from '#tests/slow/memory/measure-tree.ts';

const COLLECTIONS = 5;

async function startBare(): Promise<string> {
  const server = Fastify();
  const streams = new Set<PassThrough>();
  server.get('/api/events', (_request, reply) => {
    const stream = new PassThrough();
    streams.add(stream.once('close', () => streams.delete(stream)));
    stream.write(': hello\n\n');
    return reply.header('content-type', 'text/event-stream').send(stream);
  });
  return server.listen({ port: 0, host: '127.0.0.1' });
}

const address = process.argv[2] === 'bare' ? await startBare() : (await main()).address;
process.on('message', async () => {
  for (let index = 0; index < COLLECTIONS; index++) {
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    await wait(100);
  }
  process.send?.(measureTree(process.pid, 'Rss'));
});
process.send?.(address);
