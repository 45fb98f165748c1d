import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { isEventStream } from './request-log.ts';

const MS_PER_SECOND = 1000;
/** Instead of a path that nothing serves, because visitors choose those. */
const NO_ROUTE = 'none';

/**
 * Counts every answer, and times it until it begins. How long its body takes depends on the connection of the visitor,
 * who may be a phone that downloads a video.
 */
export function addRequestMetrics(server: FastifyInstance, { metrics }: Pick<AppContext, 'metrics'>): void {
  const begunAtMs = new WeakMap<FastifyReply, number>();
  server.addHook('onSend', (_request, reply, _payload, done) => {
    begunAtMs.set(reply, reply.elapsedTime);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    metrics.answers.add(1, { status });
    if (!isEventStream(reply)) {
      const route = request.routeOptions.url ?? NO_ROUTE;
      const seconds = (begunAtMs.get(reply) ?? reply.elapsedTime) / MS_PER_SECOND;
      metrics.requestSeconds.record(seconds, { route, method: request.method, status });
    }
    done();
  });
}
