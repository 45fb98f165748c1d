import type { FastifyInstance } from 'fastify';
import type { AppContext } from '#api/services/app-context.ts';
import { describeTools } from '#api/services/ground/tool-abilities.ts';
import { getToolAbilities } from '#shared/contract/tools.ts';
import { bindEndpoint } from './bind-endpoint.ts';

/** What the tools make with the configured engine. */
export function addToolRoutes(server: FastifyInstance, app: AppContext): void {
  bindEndpoint(server, getToolAbilities, async () => describeTools(app));
}
