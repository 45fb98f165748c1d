import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { isEventStream } from './request-log.ts';

const MS_PER_SECOND = 1000;
/** Instead of a path that nothing serves, because visitors choose those. */
const NO_ROUTE = 'none';

/** Counts and times every answer. */
export function addRequestMetrics(server: FastifyInstance, { metrics }: Pick<AppContext, 'metrics'>): void {
  server.addHook('onResponse', (request, reply, done) => {
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    metrics.answers.add({ status });
    if (!isEventStream(reply)) {
      const route = request.routeOptions.url ?? NO_ROUTE;
      metrics.requestSeconds.observe({ route, method: request.method, status }, reply.elapsedTime / MS_PER_SECOND);
    }
    done();
  });
}
