import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { describeShowcase } from '#api/services/core/showcase.ts';
import { getShowcase } from '#shared/contract/showcase.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** Data of the landing page. */
export function addShowcaseRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getShowcase, async () => describeShowcase(app));
}
