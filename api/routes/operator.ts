import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { describeOperator } from '#api/services/ground/operator.ts';
import { getOperator } from '#shared/contract/operator.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Who runs the service. */
export function addOperatorRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getOperator, async () => describeOperator(app));
}
