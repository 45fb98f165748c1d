import type { FastifyInstance } from 'fastify';
import { toRateLimit } from '#api/plugins/rate-limit.ts';
import type { AppContext } from '#api/services/app-context.ts';
import { describeOperator } from '#api/services/ground/operator.ts';
import { getOperator } from '#shared/contract/operator.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** The operator of the service. */
export function addOperatorRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getOperator, async () => describeOperator(app));
}

/** The interface links to this address, so that the operator can change HELP_URL without a new build. */
export function addHelpRoute(server: FastifyInstance, app: AppContext): void {
  server.get('/help', { schema: { hide: true }, config: { rateLimit: toRateLimit() } }, (_request, reply) =>
    reply.redirect(app.config.helpUrl, 302),
  );
}
