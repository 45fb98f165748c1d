import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { describePath } from './request-log.ts';

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
