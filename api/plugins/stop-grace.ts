import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/errors.ts';

/** Time for open answers to finish when the server stops. A client that stalls must not block the stop. */
const ANSWER_GRACE_MS = 3_000;
/** Time for uploads: a photo takes longer than any other request, and its sender would have to begin again. */
const UPLOAD_GRACE_MS = 10_000;
/** By then another process listens here. */
const RETRY_SECONDS = 5;

/**
 * When the server stops, uploads that are under way get more time than other requests, and new ones are refused with
 * `unavailable`.
 */
export function addStopGrace(server: FastifyInstance): void {
  const sockets = new Set<Socket>();
  const uploading = new Set<Socket>();
  let isStopping = false;
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.addHook('onRequest', async (request, reply) => {
    if (!request.headers['content-type']?.startsWith('multipart/form-data')) return;
    if (isStopping) {
      reply.header('connection', 'close');
      throw new AppError('unavailable', { retryAfter: RETRY_SECONDS });
    }
    const { socket } = request.raw;
    uploading.add(socket);
    reply.raw.once('close', () => {
      uploading.delete(socket);
      // A connection that would stay open for the next request would hold up the stop.
      if (isStopping) socket.end();
    });
  });
  server.addHook('preClose', async () => {
    isStopping = true;
    setTimeout(() => {
      for (const socket of sockets) if (!uploading.has(socket)) socket.destroy();
    }, ANSWER_GRACE_MS).unref();
    setTimeout(() => server.server.closeAllConnections(), UPLOAD_GRACE_MS).unref();
  });
}
