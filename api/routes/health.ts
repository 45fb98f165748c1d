import type { FastifyInstance } from 'fastify';
import { AppError } from '#api/platform/errors.ts';
import { isFromPrivateNetwork } from '#api/plugins/caller-address.ts';
import { createReadinessCheck } from '#api/services/administration/readiness.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';

/** For monitoring: liveness, readiness and metrics. Not part of the contract. */
export function addHealthRoutes(server: FastifyInstance, app: AppContext): void {
  const schema = { hide: true };
  const limited = { schema, config: { limit: REQUEST_LIMITS.any } };
  server.get('/healthz', { schema }, async (_request, reply) => {
    reply.header('Cache-Control', 'no-store');
    return { status: 'ok' };
  });

  const checkReadiness = createReadinessCheck(app);
  server.get('/readyz', limited, async (_request, reply) => {
    const { isReady, parts } = await checkReadiness();
    reply.code(isReady ? 200 : 503).header('Cache-Control', 'no-store');
    return { status: isReady ? 'ready' : 'not_ready', parts };
  });

  server.get('/metrics', limited, async (request, reply) => {
    // Business figures are only for the operator's own network.
    if (!isFromPrivateNetwork(request)) throw new AppError('route_not_found');
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await app.metrics.describe());
  });
}
