import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Slower requests are worth a warning. */
const SLOW_REQUEST_MS = 5000;
const PATH_MAX_LENGTH = 200;

/** One line for each answered request; in production the log keeps only those that failed or were slow. */
export function addRequestLog(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const ms = Math.round(reply.elapsedTime);
    const line = {
      method: request.method,
      path: describePath(request),
      status: reply.statusCode,
      ms,
      ...(request.account ? { accountId: request.account.id } : {}),
      ...(request.errorCode ? { error: request.errorCode } : {}),
    };
    if (reply.statusCode >= 500) request.log.error(line, 'request failed');
    else if (reply.statusCode >= 400) request.log.warn(line, 'request refused');
    else if (ms > SLOW_REQUEST_MS && !isEventStream(reply)) request.log.warn(line, 'slow request');
    else request.log.info(line, 'request');
  });
}

/** As the log says it: without the query, which may hold what is nobody's business. */
export function describePath({ url }: Pick<FastifyRequest, 'url'>): string | undefined {
  return url.split('?', 1)[0]?.slice(0, PATH_MAX_LENGTH);
}

/** A stream of events lasts as long as its page. */
function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}
