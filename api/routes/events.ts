import type { OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { readSessionToken, writeSessionCookie } from '#api/plugins/session-cookie.ts';
import { findSessionId } from '#api/services/accounts/sessions.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { EventStreams } from '#api/services/notices/event-streams.ts';
import { streamEvents } from '#shared/contract/events.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Streams of events for the open pages. */
export function addEventRoutes(server: FastifyInstance, app: AppContext): void {
  const streams = new EventStreams(app);
  let stopListening: (() => Promise<void>) | null = null;
  server.addHook('onReady', async () => {
    stopListening = await app.accountEvents.listen((accountEvent) => streams.pass(accountEvent));
  });
  // In preClose, because the server waits for open connections afterwards.
  server.addHook('preClose', async () => {
    streams.close();
    await stopListening?.();
  });

  bindEndpoint(
    server,
    streamEvents,
    async ({ account, request, reply }) => {
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Otherwise nginx would buffer events that should arrive at once.
        'x-accel-buffering': 'no',
        // The connection serves nothing else, so it closes together with its stream.
        connection: 'close',
      });
      if (request.method === 'HEAD') return reply.send('');
      const token = readSessionToken(app, request);
      const sessionId = token && (await findSessionId(app, token));
      if (!sessionId) throw new AppError('unauthorized');
      if (request.extendedToken) writeSessionCookie(reply, app, request.extendedToken);
      // A browser that has left meanwhile would never be seen to leave.
      if (!reply.raw.destroyed) streams.open(account.id, sessionId, () => takeOver(reply));
      return reply;
    },
    { limit: REQUEST_LIMITS.eventStream },
  );
}

/**
 * Begins the answer past the framework, which would keep everything about the request, and two streams, for each page
 * that is open. So no `onSend` hook sees this answer.
 */
function takeOver(reply: FastifyReply): Writable {
  reply.hijack();
  return reply.raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
}
