import { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { TOOL_OBSTACLES } from '#shared/contract/tools.ts';

/** Slower requests are logged as warnings. */
const SLOW_REQUEST_MS = 5000;
const PATH_MAX_LENGTH = 200;

/** Logs one line for each answered request. In production only failed and slow ones are logged. */
export function addRequestLog(server: FastifyInstance): void {
  server.addHook('onResponse', async (request, reply) => {
    const { errorCode } = request;
    const line = describeAnswer(request, reply);
    if (isFault(reply.statusCode, errorCode)) {
      // What was thrown has its line already.
      if (errorCode === null) request.log.error(line, 'request failed');
    } else if (reply.statusCode >= 400) request.log.warn(line, 'request refused');
    else if (line.ms > SLOW_REQUEST_MS && !isEventStream(reply)) request.log.warn(line, 'slow request');
    else request.log.info(line, 'request');
  });
}

/**
 * Logs the one line of a request that is answered with what was thrown. At once, because a caller who hangs up now never
 * gets an answer.
 */
export function logFault(request: FastifyRequest, reply: FastifyReply, err: unknown): void {
  request.log.error({ err, ...describeAnswer(request, reply) }, 'request failed');
}

function describeAnswer(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    path: describePath(request),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    ...(request.account ? { accountId: request.account.id } : {}),
    ...(request.errorCode ? { error: request.errorCode } : {}),
  };
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

/**
 * Of the framework's own lines only the one about an answer that broke off after it had begun. Its status has been sent,
 * so nothing else tells of it.
 */
class BrokenAnswersOnly extends LogController {
  override streamError(err: Error, request: FastifyRequest, reply: FastifyReply): void {
    // The caller hung up, and that is why the reading has ended.
    if (reply.raw.destroyed) return;
    request.log.error({ err, method: request.method, path: describePath(request) }, 'an answer broke off');
  }
}

export function createLogController(): LogController {
  return new BrokenAnswersOnly({ disableRequestLogging: true, requestIdLogLabel: 'requestId' });
}
