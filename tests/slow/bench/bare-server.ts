// The floor of a call: Fastify alone, which answers every GET with the bytes that it was given. Its parent sends them.
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const server = Fastify();
const bodies = new Map<string, string>();
server.get('/*', async ({ url }, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8');
  return bodies.get(url) ?? '{}';
});
process.on('message', ({ url, body }: { url: string; body: string }) => {
  bodies.set(url, body);
  process.send?.('known');
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.send?.((server.server.address() as AddressInfo).port);
