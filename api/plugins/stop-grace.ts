import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';

/** Time for what is under way when the server stops: a photo comes in, and its sender would have to begin again. */
const GRACE_MS = 10_000;
/** By then another process listens here. */
const RETRY_SECONDS = 5;

/** When the server stops, requests under way get some time, and new uploads are refused with `unavailable`. */
export function addStopGrace(server: FastifyInstance): void {
  let isStopping = false;
  server.addHook('onRequest', async (request) => {
    if (!isStopping || !request.headers['content-type']?.startsWith('multipart/form-data')) return;
    throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
  });
  // A connection that would stay open for the next request would hold up the stop.
  server.addHook('onSend', async (_request, reply) => {
    if (isStopping) reply.header('connection', 'close');
  });
  server.addHook('onResponse', async (request) => {
    // An answer that began before the stop has promised to stay.
    if (isStopping) request.raw.socket.destroySoon();
  });
  server.addHook('preClose', async () => {
    isStopping = true;
    setTimeout(() => server.server.closeAllConnections(), GRACE_MS).unref();
  });
}
