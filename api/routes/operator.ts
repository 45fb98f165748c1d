import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { REQUEST_LIMITS } from '#api/services/core/limit-table.ts';
import { describeOperator } from '#api/services/core/operator.ts';
import { getOperator } from '#shared/contract/operator.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** The operator of the service. */
export function addOperatorRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getOperator, async () => describeOperator(app));
}

/** The interface links to this address, so that the operator can change HELP_URL without a new build. */
export function addHelpRoute(server: FastifyInstance, app: AppContext): void {
  server.get('/help', { schema: { hide: true }, config: { limit: REQUEST_LIMITS.any } }, (_request, reply) =>
    reply.redirect(app.config.helpUrl, 302),
  );
}
