import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TOOL_OBSTACLES } from '#shared/contract/tools.ts';

/** Slower requests are logged as warnings. */
const SLOW_REQUEST_MS = 5000;
const PATH_MAX_LENGTH = 200;

/** Logs one line for each answered request. In production only failed and slow ones are logged. */
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
    if (isFault(reply.statusCode, request.errorCode)) request.log.error(line, 'request failed');
    else if (reply.statusCode >= 400) request.log.warn(line, 'request refused');
    else if (ms > SLOW_REQUEST_MS && !isEventStream(reply)) request.log.warn(line, 'slow request');
    else request.log.info(line, 'request');
  });
}

/**
 * Whether an answer says that something is broken here. A refused start does not: what stops the tool has a line of its
 * own.
 */
export function isFault(status: number, errorCode: string | null): boolean {
  return status >= 500 && !TOOL_OBSTACLES.some((code) => code === errorCode);
}

/** The path for the log, without the query, which may contain private data. */
export function describePath({ url }: Pick<FastifyRequest, 'url'>): string | undefined {
  return url.split('?', 1)[0]?.slice(0, PATH_MAX_LENGTH);
}

/** A stream of events stays open as long as its page, so it is not slow. */
export function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/event-stream');
}
